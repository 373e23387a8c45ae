const random = (bytes: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));

/** 24 random bytes (192 bits) cannot be guessed. */
const secretBytes = 24;

export type SecretPrefix = "server" | "client" | "session" | "invitation" | "reset" | "scim" | "portal" | "checkout";

/** Returns a new secret such as `server-4f…`. It is shown once; Tollgate stores its hash. */
export const newSecret = (prefix: SecretPrefix): string => `${prefix}-${random(secretBytes).toString("base64url")}`;

/** Returns 80 random bits in groups, such as `4f1a9-…`, which cannot be guessed even from the hash. */
export const newRecoveryCode = (): string =>
	random(10)
		.toString("hex")
		.replace(/.{5}(?=.)/g, "$&-");
