/** Returns the SHA-256 of UTF-8 text, in hex. */
export const hashText = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
