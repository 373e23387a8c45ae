import type { EffectiveEntitlement } from "../../../areas/entitlement-sources/schema";
import { Badge } from "../../kit/status";
import { t } from "../../messages/customers";

export const nameOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" ? (one.feature?.displayName ?? "") : one.currency.displayName;

export const idOf = (one: EffectiveEntitlement): string =>
	one.type === "FEATURE" ? (one.feature?.id ?? "") : one.currency.currencyId;

export const Access = ({ of }: { readonly of: Pick<EffectiveEntitlement, "isGranted" | "accessDeniedReason"> }) => (
	<Badge tone={of.isGranted ? "good" : "bad"}>{of.isGranted ? t.granted : (of.accessDeniedReason ?? t.refused)}</Badge>
);
