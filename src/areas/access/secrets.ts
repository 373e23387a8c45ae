const random = (bytes: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));

/** 24 random bytes: 192 bits, beyond any search. */
const secretBytes = 24;

export type SecretPrefix = "server" | "client" | "session" | "invitation" | "reset" | "scim" | "portal" | "checkout";

/** A new secret such as `server-4f…`; shown once, kept only as its hash. */
export const newSecret = (prefix: SecretPrefix): string => `${prefix}-${random(secretBytes).toString("base64url")}`;

/** 80 random bits in groups that can be typed, such as `4f1a9-…`: too many for a search, even of its hash. */
export const newRecoveryCode = (): string =>
	random(10)
		.toString("hex")
		.replace(/.{5}(?=.)/g, "$&-");
