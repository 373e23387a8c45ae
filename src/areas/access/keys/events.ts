import { toIsoOrNull } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { writeEvent } from "../../outbox/operations";
import type { ApiKeyRow } from "../table";

export const emitKeyEvent = (work: Work, what: "created" | "rotated" | "revoked", key: ApiKeyRow): void =>
	writeEvent(
		work,
		`api_key.${what}`,
		key.id,
		{
			id: key.id,
			entityId: key.id,
			name: key.displayName,
			keyKind: key.kind,
			prefix: key.prefix,
			expiresAt: toIsoOrNull(key.expiresAt),
		},
		key.environmentId,
	);
