import type { Feature } from "../../../areas/features/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import type { Plan } from "../../../areas/plans/schema";
import { pathTo, send } from "../../api";

/** A column of the matrix: a plan, or its draft if it has one. */
export interface MatrixPlan {
	readonly plan: Plan;
	readonly entitlements: readonly PackageEntitlement[];
}

export interface Change {
	readonly column: MatrixPlan;
	readonly feature: Feature;
	readonly text: string;
}

export const unlimited = "∞";
/** The text of a feature that is on. */
export const on = "on";

/** Returns the text of a cell. An empty text means that the feature is not granted. */
export function textOf({ entitlements }: MatrixPlan, feature: Feature): string {
	const found = entitlements.find(({ id, type }) => id === feature.id && type === "FEATURE");
	if (found?.type !== "FEATURE" || !found.isGranted) return "";
	if (feature.featureType === "ENUM") return (found.enumValues ?? []).join(", ");
	if (feature.featureType === "BOOLEAN") return on;
	return found.hasUnlimitedUsage ? unlimited : String(found.usageLimit ?? "");
}

export const isReadable = (feature: Feature, text: string): boolean =>
	feature.featureType !== "NUMBER" || text === "" || text === unlimited || /^\d+(\.\d+)?$/.test(text);

/** Saves the changes of a plan in its draft, and creates the draft if there is none. */
export async function saveChanges({ plan, entitlements }: MatrixPlan, changes: readonly Change[]): Promise<void> {
	const path = pathTo("/plans", plan.id);
	if (plan.status !== "DRAFT") await send("POST", `${path}/draft`);
	const added: object[] = [];
	for (const { feature, text } of changes) {
		const place = pathTo(path, "entitlements", feature.id);
		const isThere = entitlements.some(({ id }) => id === feature.id);
		if (text === "") await send("DELETE", place);
		else if (isThere) await send("PATCH", place, { type: "FEATURE", isGranted: true, ...grantOf(feature, text) });
		else added.push({ type: "FEATURE", id: feature.id, ...grantOf(feature, text) });
	}
	if (added.length > 0) await send("POST", `${path}/entitlements`, { entitlements: added });
}

function grantOf({ featureType }: Feature, text: string): object {
	if (featureType === "BOOLEAN") return {};
	if (featureType === "ENUM") return { enumValues: text.split(",").map((one) => one.trim()) };
	return text === unlimited
		? { hasUnlimitedUsage: true, usageLimit: null }
		: { hasUnlimitedUsage: false, usageLimit: Number(text) };
}
