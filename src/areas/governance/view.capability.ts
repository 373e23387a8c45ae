import type { Capability } from "./table";

/** The feature or currency of a budget, by the caller's id. */
export const viewCapability = (
	capability: Capability,
	refId: string,
): { readonly featureId: string } | { readonly currencyId: string } =>
	capability === "FEATURE" ? { featureId: refId } : { currencyId: refId };
