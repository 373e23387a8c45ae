import { timingSafeEqual } from "node:crypto";

export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("hex");

/** Compares in constant time; texts of different length are different. */
export function equalSecrets(one: string, other: string): boolean {
	const [left, right] = [Buffer.from(one), Buffer.from(other)];
	return left.length === right.length && timingSafeEqual(left, right);
}

/** What people see of a key: `server-4f3a…`. */
export const visiblePrefix = (secret: string): string => secret.slice(0, secret.indexOf("-") + 7);

/**
 * The secret with which a customer's backend signs its customers' ids for publishable keys. It is derived from the data
 * folder's own secret, so that nothing recoverable lies in the database.
 */
export const signingSecret = (folderSecret: string, environmentId: string): string =>
	new Bun.CryptoHasher("sha256", folderSecret).update(`client hardening ${environmentId}`).digest("hex");

export const signCustomer = (secret: string, customerId: string): string =>
	new Bun.CryptoHasher("sha256", secret).update(customerId).digest("hex");
