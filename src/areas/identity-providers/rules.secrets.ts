import { sealingKey } from "../../kernel/sealed";

/** Returns the key that encrypts a provider's client secret. */
export const clientSecretKey = (folderSecret: string, providerId: string): Buffer =>
	sealingKey(folderSecret, `identity provider ${providerId}`);

/** Returns the key that encrypts the cookie of a sign-in. */
export const signInKey = (folderSecret: string): Buffer => sealingKey(folderSecret, "sign-in by an identity provider");
