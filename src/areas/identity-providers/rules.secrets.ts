import { sealingKey } from "../../kernel/sealed";

/** By which a provider's client secret is encrypted. */
export const clientSecretKey = (folderSecret: string, providerId: string): Buffer =>
	sealingKey(folderSecret, `identity provider ${providerId}`);

/** By which the browser's part of a sign-in is encrypted. */
export const signInKey = (folderSecret: string): Buffer => sealingKey(folderSecret, "sign-in by an identity provider");
