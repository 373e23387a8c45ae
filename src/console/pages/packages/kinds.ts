import type { Addon } from "../../../areas/addons/schema";
import type { PackageKind } from "../../../areas/packages/schema";
import type { Plan } from "../../../areas/plans/schema";
import { addons, plans } from "../../messages/packages";

/** What plans and addons are to screens that show both. */
export type Package = Plan | Addon;

export interface OfPackage {
	readonly kind: PackageKind;
	readonly of: Package;
}

/** Where each kind stands, in the console and below /api/v1 alike, and what it is called. */
export const kinds = { PLAN: { path: "/plans", t: plans }, ADDON: { path: "/addons", t: addons } } as const;

export const pathOf = (kind: PackageKind, id: string): string => `${kinds[kind].path}/${encodeURIComponent(id)}`;
