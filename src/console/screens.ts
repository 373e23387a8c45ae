import { type ComponentType, lazy } from "react";
import type { IconName } from "./kit/icons";
import { t } from "./messages/screens";

export interface Screen {
	readonly name: string;
	/** The screen also shows all paths below: `/customers` shows `/customers/customer-acme`. */
	readonly path: string;
	readonly icon: IconName;
	readonly show: ComponentType;
}

interface ScreenGroup {
	readonly name?: string;
	readonly screens: readonly Screen[];
}

/** A screen is loaded when it is first opened. */
const screen = (
	name: string,
	path: string,
	icon: IconName,
	load: () => Promise<{ readonly default: ComponentType }>,
): Screen => ({ name, path, icon, show: lazy(load) });

/** All screens, in the order of the menu. */
export const screenGroups: readonly ScreenGroup[] = [
	{ screens: [screen(t.Overview, "/", "overview", () => import("./pages/overview/overview"))] },
	{
		name: t.sales,
		screens: [
			screen(t.Customers, "/customers", "customers", () => import("./pages/customers/customers")),
			screen(t.Subscriptions, "/subscriptions", "subscriptions", () => import("./pages/subscriptions/subscriptions")),
			screen(t.Contracts, "/contracts", "contracts", () => import("./pages/contracts/contracts")),
			screen(t.Invoices, "/invoices", "invoices", () => import("./pages/invoices/invoices")),
			screen(t.Receipts, "/receipts", "receipts", () => import("./pages/receipts/receipts")),
			screen(t.Credits, "/credits", "credits", () => import("./pages/credits/credits")),
		],
	},
	{
		name: t.catalogue,
		screens: [
			screen(t.Products, "/products", "products", () => import("./pages/products/products")),
			screen(t.Plans, "/plans", "plans", async () => ({ default: (await import("./pages/packages/packages")).Plans })),
			screen(t.Addons, "/addons", "addons", async () => ({
				default: (await import("./pages/packages/packages")).Addons,
			})),
			screen(t.Features, "/features", "features", () => import("./pages/features/features")),
			screen(t.Coupons, "/coupons", "coupons", () => import("./pages/coupons/coupons")),
			screen(t.Taxes, "/taxes", "taxes", () => import("./pages/taxes/taxes")),
		],
	},
	{
		name: t.operations,
		screens: [
			screen(t.Events, "/events", "events", () => import("./pages/events/events")),
			screen(t.Webhooks, "/webhooks", "webhooks", () => import("./pages/webhooks/webhooks")),
			screen(t.Tasks, "/tasks", "tasks", () => import("./pages/tasks/tasks")),
			screen(t.AuditLog, "/audit-log", "audit", () => import("./pages/audit/audit-log")),
			screen(t.Status, "/status", "status", () => import("./pages/status/status")),
			screen(t.Settings, "/settings", "settings", () => import("./pages/settings/settings")),
		],
	},
];

export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);
