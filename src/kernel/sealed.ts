import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

// AES-256-GCM: what was changed, or sealed by another key, does not open.
const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** A key of its own for each purpose, out of the data folder's secret. */
export const sealingKey = (folderSecret: string, purpose: string): Buffer =>
	new Bun.CryptoHasher("sha256", folderSecret).update(purpose).digest();

export function seal(key: Buffer, text: string): string {
	const nonce = randomBytes(nonceBytes);
	const cipher = createCipheriv(algorithm, key, nonce);
	const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Undefined for what was not sealed by this key. */
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
