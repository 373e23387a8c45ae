import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import type { EffectiveEntitlement } from "../entitlement-sources/schema";
import { checkEntitlement } from "./operations";
import { checkedKeys, type EntitlementBetaCheckQuery } from "./schema";

/**
 * Checks access by the beta path, with the same decision. `dimensions` would name teams and users with budgets. There are none
 * without governance, so Tollgate refuses the parameter (UnsupportedParameter) instead of ignoring it.
 */
export function checkEntitlementBeta(
	work: Work,
	customerRef: string,
	{ dimensions, ...query }: EntitlementBetaCheckQuery,
): EffectiveEntitlement {
	const unknown = Object.keys(query).find((key) => !checkedKeys.has(key));
	if (dimensions !== undefined || unknown?.startsWith("dimensions["))
		throw fail("UnsupportedParameter", "query/dimensions: budgets of teams and users are not supported; omit it.");
	if (unknown !== undefined) throw fail("BadUserInput", `query/${unknown}: unknown parameter; omit it.`);
	return checkEntitlement(work, customerRef, query);
}
