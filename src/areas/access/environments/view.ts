import { toIso, toIsoOrNull } from "../../../kernel/clock";
import type { EnvironmentRow } from "../table";
import type { Environment } from "./schema";

export const viewEnvironment = ({ kind, ...environment }: EnvironmentRow): Environment => ({
	id: environment.id,
	accountId: environment.accountId,
	name: environment.name,
	type: kind,
	status: environment.archivedAt === null ? "ACTIVE" : "ARCHIVED",
	unknownCustomers: environment.unknownCustomers,
	clientHardening: environment.clientHardening,
	allowedOrigins: environment.allowedOrigins,
	billingAnchor: environment.billingAnchor,
	prorationMode: environment.prorationMode,
	timeZone: environment.timeZone,
	timeZoneSource: environment.timeZoneSource,
	defaultCurrency: environment.defaultCurrency,
	...(environment.taxes && { taxes: environment.taxes }),
	...(environment.taxRounding && { taxRounding: environment.taxRounding }),
	...(environment.discountStacking && { discountStacking: environment.discountStacking }),
	...(environment.booksClosedUntil !== null && { booksClosedUntil: toIso(environment.booksClosedUntil) }),
	governance: environment.governance,
	createdAt: toIso(environment.createdAt),
	archivedAt: toIsoOrNull(environment.archivedAt),
});
