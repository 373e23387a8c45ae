/** SHA-256 in hex, of the text as UTF-8. */
export const hashText = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
