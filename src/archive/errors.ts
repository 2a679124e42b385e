import { type ErrorTable, errorsOf } from "../errors.ts";

const refused = (
  meaning: string,
  remedy = "Do not use this package version; report it to its publisher.",
) => ({
  exit: 1 as const,
  meaning,
  remedy,
});

const damaged = (meaning: string) =>
  refused(meaning, "The archive equals its digest, so it was published damaged; use another version.");

const beyond = (meaning: string) =>
  refused(
    meaning,
    "If the package is genuine, raise this limit in the archive room; otherwise leave it out.",
  );

/** Why an archive was not unpacked. Each code is one rule of design 7. */
export const archiveErrors = {
  "archive.integrity": refused(
    "The archive's bytes do not have the digest that the lock pins.",
    "Remove the file from the cache and fetch it again; if it differs again, someone changed the package.",
  ),
  "archive.integrity-format": refused(
    "The pinned integrity is not a list of algorithm-base64 digests.",
    "Refresh the lock.",
  ),
  "archive.integrity-weak": refused("The pinned integrity has no sha512 digest.", "Refresh the lock."),
  "archive.integrity-conflict": refused(
    "The pinned integrity lists two different digests of one algorithm.",
    "Refresh the lock.",
  ),
  "archive.unreadable": {
    exit: 3,
    meaning: "The archive could not be opened or read.",
    remedy: "Check that the file exists, is a regular file and may be read.",
  },
  "archive.changed": refused(
    "The archive changed while it was being read.",
    "Keep other programs from writing to the cache, then try again.",
  ),
  "archive.too-large": beyond("The compressed archive is larger than the limit."),
  "archive.gzip-header": damaged("The file does not start with a plain gzip header."),
  "archive.gzip-data": damaged("The compressed data is invalid."),
  "archive.gzip-truncated": damaged("The compressed data ends early."),
  "archive.gzip-trailing": refused("Bytes, or a second gzip member, follow the compressed data."),
  "archive.gzip-checksum": damaged(
    "The unpacked bytes do not have the checksum or length that gzip recorded.",
  ),
  "archive.empty": damaged("The archive has no entry."),
  "archive.truncated": damaged("The archive ends inside an entry or without its end mark."),
  "archive.lone-zero-block": refused("One zero block stands where the end mark needs two."),
  "archive.trailing-data": refused("Data follows the archive's end mark."),
  "archive.header-checksum": damaged("A header's checksum is wrong."),
  "archive.header-magic": refused("A header is neither ustar, GNU nor the old tar format."),
  "archive.header-mode": refused("A header's mode is not an octal number."),
  "archive.header-size": refused("A header's size is not an octal number that fits its field."),
  "archive.header-prefix": refused("A header that is not ustar uses the ustar prefix field."),
  "archive.header-link-name": refused("An entry that is no link names a link target."),
  "archive.header-text": refused("A text field of a header goes on after its end."),
  "archive.mode-special": refused("An entry is setuid, setgid or sticky."),
  "archive.directory-size": refused("A directory entry has a size, which readers disagree about."),
  "archive.hard-link": refused("An entry is a hard link."),
  "archive.symlink": refused("An entry is a symbolic link."),
  "archive.device": refused("An entry is a device."),
  "archive.fifo": refused("An entry is a FIFO."),
  "archive.sparse": refused("An entry is a sparse file."),
  "archive.contiguous": refused("An entry is a contiguous file, which readers disagree about."),
  "archive.type-unknown": refused("An entry has a type that npm archives do not have."),
  "archive.pax-format": refused("A pax header is malformed."),
  "archive.pax-key": refused("A pax header has a key whose effect is unknown."),
  "archive.pax-duplicate": refused("A pax header sets one key twice."),
  "archive.pax-size": refused("A pax size is not a plain decimal number."),
  "archive.pax-global": refused("A global pax header changes the entries that follow."),
  "archive.extension-dangling": refused("An extension header has no entry that it describes."),
  "archive.name-twice": refused("More than one extension header names the same entry."),
  "archive.path-encoding": refused("A path is not valid UTF-8."),
  "archive.path-control": refused("A path contains a control character."),
  "archive.path-backslash": refused("A path contains a backslash."),
  "archive.path-absolute": refused("A path is absolute."),
  "archive.path-drive": refused("A path starts with a drive letter."),
  "archive.path-parent": refused("A path contains `..`."),
  "archive.path-segment": refused("A path contains an empty name or `.`."),
  "archive.path-rootless": refused("A file stands beside the package's folder, not in it."),
  "archive.path-too-long": beyond("A path is longer than the limit."),
  "archive.name-too-long": beyond("A name in a path is longer than the limit."),
  "archive.path-too-deep": beyond("A path has more names than the limit."),
  "archive.path-duplicate": refused("Two entries have the same path."),
  "archive.path-collision": refused("Two paths are equal after NFC and case folding."),
  "archive.path-conflict": refused("A path is a file for one entry and a directory for another."),
  "archive.path-occupied": refused(
    "Something else stands at the path that an entry unpacks to.",
    "Unpack into a new directory.",
  ),
  "archive.too-many-entries": beyond("The archive has more entries than the limit."),
  "archive.too-many-bytes": beyond("The archive unpacks to more bytes than the limit."),
  "archive.file-too-large": beyond("A file is larger than the limit."),
  "archive.extension-too-large": beyond("Extension headers are larger than the limit."),
  "archive.paths-too-large": beyond("The paths of the archive together are longer than the limit."),
  "archive.write-failed": {
    exit: 3,
    meaning: "An entry could not be written.",
    remedy: "Check space and permissions of the build directory.",
  },
} as const satisfies ErrorTable;

export const archiveError = errorsOf(archiveErrors);

export type ArchiveCode = keyof typeof archiveErrors;
