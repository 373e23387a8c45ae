import { Webhook } from "standardwebhooks";
import type { Instant } from "../../kernel/clock";
import type { WebhookRow } from "./table";

type Keyed = Pick<WebhookRow, "id" | "secretVersion" | "formerSecretUntil">;

/** Derives the secret of an endpoint from the secret of the data folder, so the database contains no secret. */
export const webhookSecret = (
	folderSecret: string,
	{ id, secretVersion }: Pick<Keyed, "id" | "secretVersion">,
): string =>
	`whsec_${new Bun.CryptoHasher("sha256", folderSecret).update(`webhook ${id} ${secretVersion}`).digest("base64")}`;

/** Returns the current secret first, and for a day after a rotation the former one too. */
export function signingSecrets(folderSecret: string, webhook: Keyed, machineNow: Instant): string[] {
	const { formerSecretUntil, secretVersion } = webhook;
	const newest = webhookSecret(folderSecret, webhook);
	if (formerSecretUntil === null || formerSecretUntil <= machineNow) return [newest];
	return [newest, webhookSecret(folderSecret, { ...webhook, secretVersion: secretVersion - 1 })];
}

/** Returns the headers of Standard Webhooks (https://www.standardwebhooks.com), with one signature for each secret. */
export const signedHeaders = (secrets: readonly string[], messageId: string, at: Instant, body: string) => ({
	"webhook-id": messageId,
	"webhook-timestamp": String(Math.floor(at / 1000)),
	"webhook-signature": secrets.map((secret) => new Webhook(secret).sign(messageId, new Date(at), body)).join(" "),
});
