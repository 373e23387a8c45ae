import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

// AES-256-GCM: a text that was changed, or sealed with another key, cannot be opened.
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Derives the key of a purpose from the data folder's secret. */
export const sealingKey = (folderSecret: string, purpose: string): Buffer =>
	new Bun.CryptoHasher("sha256", folderSecret).update(purpose).digest();

export function seal(key: Buffer, text: string): string {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, key, nonce);
	const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Opens a sealed text. Returns undefined if it was not sealed with this key. */
export function unseal(key: Buffer, sealed: string): string | undefined {
	const bytes = Buffer.from(sealed, "base64url");
	if (bytes.length < nonceBytes + tagBytes) return undefined;
	const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
	decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
	try {
		return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString("utf8");
	} catch {
		return undefined;
	}
}
