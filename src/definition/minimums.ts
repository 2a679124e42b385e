/** First undici with the fix of GHSA-3wwx-pv8p-q78v (B7). The one place where it is written (B15). */
export const minimumUndici = "7.29.1";
