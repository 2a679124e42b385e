const zeros = Buffer.alloc(512 * 1024);

/** Whether all bytes are zero; as fast as memory, since an attacker may send gigabytes of them. */
export function isZero(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; offset += zeros.length) {
    const part = bytes.subarray(offset, offset + zeros.length);
    if (zeros.compare(part, 0, part.length, 0, part.length) !== 0) return false;
  }
  return true;
}
