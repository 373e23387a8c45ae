import { timingSafeEqual } from "node:crypto";

export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

/** Compares in constant time. Texts of different length are unequal. */
export function equalSecrets(one: string, other: string): boolean {
	const [left, right] = [Buffer.from(one), Buffer.from(other)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the visible part of a key: `server-4f3a…`. */
export const visiblePrefix = (secret: string): string => secret.slice(0, secret.indexOf("-") + 7);

/**
 * Returns the secret with which a customer's backend signs customer ids for publishable keys. It derives from the
 * folder's secret, so the database contains no secret.
 */
export const signingSecret = (folderSecret: string, environmentId: string): string =>
	new Bun.CryptoHasher("sha256", folderSecret).update(`client hardening ${environmentId}`).digest("hex");

export const signCustomer = (secret: string, customerId: string): string =>
	new Bun.CryptoHasher("sha256", secret).update(customerId).digest("hex");
