import { toIso, toIsoOrNull } from "../../../kernel/clock";
import { toWire, zero } from "../../../kernel/decimal";
import type { CreditConsumptionRow } from "../table";
import type { CreditConsumption, CreditsConsumed } from "./schema";

/** The row stores the whole answer, so a repeated request gets the same. */
export const viewConsumption = (
	{ customerId, currencyId, resourceId }: CreditConsumption,
	{ amount, at, usageAfter, limitAfter, periodEndAfter, createdAt }: CreditConsumptionRow,
): CreditsConsumed => ({
	customerId,
	currencyId,
	resourceId: resourceId ?? null,
	amount: toWire(amount),
	timestamp: toIso(at),
	credit: {
		currencyId,
		currentUsage: toWire(usageAfter ?? zero),
		usageLimit: toWire(limitAfter ?? zero),
		timestamp: toIso(createdAt),
		usagePeriodEnd: toIsoOrNull(periodEndAfter),
	},
});
