import { fail } from "../../../kernel/errors";
import { type AgreedTerm, storedTerm } from "../../pricing/rules.terms";
import { refuse } from "../rules.field-paths";
import type { PackageKind } from "../schema";
import type { PackageCharges } from "./schema";

const where = "charges.term";

/** Throws if a term has values without an effect, or is that of an addon, of a free plan, or of a plan that contracts bill. */
export function assertPlanTerm(kind: PackageKind, { pricingType, term }: PackageCharges): void {
	if (!term) return;
	if (kind === "ADDON") throw refuse(where, "an addon has no term; set it on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave it out.");
	if (pricingType === "CUSTOM")
		throw fail(
			"UnsupportedParameter",
			`${where}: a contract bills a CUSTOM plan; leave it out, and set 'renewal' on the contract.`,
		);
	storedTerm(term, where);
}

/** Returns the term of a pricing as it is stored; null if it has none. */
export const planTerm = ({ term }: PackageCharges): AgreedTerm | null => (term ? storedTerm(term, where) : null);
