import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import type { EffectiveEntitlement } from "../entitlement-sources/schema";
import { checkEntitlement } from "./operations";
import { checkedKeys, type EntitlementBetaCheckQuery } from "./schema";

/**
 * The check of the beta path: the same decision. `chains` would tell of the budgets of teams and users that `dimensions`
 * name; without governance there are none, so asking for them is refused (UnsupportedParameter) rather than passed over.
 */
export function checkEntitlementBeta(
	work: Work,
	customerRef: string,
	{ dimensions, ...query }: EntitlementBetaCheckQuery,
): EffectiveEntitlement {
	const surplus = Object.keys(query).find((key) => !checkedKeys.has(key));
	if (dimensions !== undefined || surplus?.startsWith("dimensions["))
		throw fail(
			"UnsupportedParameter",
			"query/dimensions: there is no governance here, so no budget of a team or user could be looked at; leave it out.",
		);
	if (surplus !== undefined) throw fail("BadUserInput", `query/${surplus}: is not known; leave it out.`);
	return checkEntitlement(work, customerRef, query);
}
