/** 24 random bytes: 192 bits, beyond any search. */
const secretBytes = 24;

export type SecretPrefix = "server" | "client" | "session" | "invitation" | "scim";

/** A new secret such as `server-4f…`; shown once, kept only as its hash. */
export const newSecret = (prefix: SecretPrefix): string =>
	`${prefix}-${Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString("base64url")}`;
