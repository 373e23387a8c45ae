import type { Instant } from "../../../kernel/clock";
import { seal, sealingKey, unseal } from "../../../kernel/sealed";
import type { Credentials } from "../providers/provider";
import type { ProviderConnectionRow } from "./table";

const keyOf = (folderSecret: string, connectionId: string): Buffer =>
	sealingKey(folderSecret, `provider connection ${connectionId}`);

/** Encrypts the credentials of a connection. */
export const sealCredentials = (folderSecret: string, connectionId: string, credentials: Credentials): string =>
	seal(keyOf(folderSecret, connectionId), JSON.stringify(credentials));

/** Returns undefined for credentials that another folder's secret has sealed. */
export function openCredentials(folderSecret: string, connectionId: string, sealed: string): Credentials | undefined {
	const text = unseal(keyOf(folderSecret, connectionId), sealed);
	return text === undefined ? undefined : (JSON.parse(text) as Credentials);
}

export const sealWebhookSecret = (folderSecret: string, connectionId: string, secret: string): string =>
	seal(keyOf(folderSecret, connectionId), secret);

/** Returns the secrets that sign events now: the current one, and the former one until its time. */
export const webhookSecretsOf = (
	folderSecret: string,
	{ id, sealedWebhookSecret, formerSealedWebhookSecret, formerUntil }: ProviderConnectionRow,
	machineNow: Instant,
): string[] =>
	[sealedWebhookSecret, formerUntil !== null && machineNow < formerUntil ? formerSealedWebhookSecret : null].flatMap(
		(sealed) => (sealed === null ? [] : (unseal(keyOf(folderSecret, id), sealed) ?? [])),
	);
