import { toIso } from "../../../kernel/clock";
import type { MethodPage } from "./schema";
import type { MethodPageRow } from "./table";

export const viewPageOf = (row: MethodPageRow): MethodPage => ({
	id: row.id,
	connectionId: row.connectionId,
	state: row.state,
	url: row.state === "OPEN" ? row.url : null,
	expiresAt: toIso(row.expiresAt),
	createdAt: toIso(row.createdAt),
});
