import { toIso, toIsoOrNull } from "../../../kernel/clock";
import type { ProviderConnection } from "./schema";
import type { ProviderConnectionRow } from "./table";

export const viewConnection = (row: ProviderConnectionRow): ProviderConnection => ({
	id: row.id,
	kind: row.kind,
	name: row.name,
	mode: row.mode,
	account: row.account,
	legalEntityId: row.legalEntityRefId,
	status: row.archivedAt === null ? "ACTIVE" : "ARCHIVED",
	eventsPath: `/api/v1/provider-connections/${row.id}/events`,
	hasWebhookSecret: row.sealedWebhookSecret !== null,
	formerWebhookSecretUntil: row.formerSealedWebhookSecret === null ? null : toIsoOrNull(row.formerUntil),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
