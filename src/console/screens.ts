import { type ComponentType, lazy } from "react";
import type { IconName } from "./kit/icons";
import { t } from "./messages/screens";

export interface Screen {
	readonly name: string;
	/** It has all paths below as well: `/customers` shows `/customers/customer-acme`. */
	readonly path: string;
	readonly icon: IconName;
	readonly show: ComponentType;
}

interface ScreenGroup {
	readonly name?: string;
	readonly screens: readonly Screen[];
}

/** Each screen is fetched when it is opened first. */
const screen = (
	name: string,
	path: string,
	icon: IconName,
	load: () => Promise<{ readonly default: ComponentType }>,
): Screen => ({ name, path, icon, show: lazy(load) });

/** What the console has, in the order of its menu. */
export const screenGroups: readonly ScreenGroup[] = [
	{
		name: t.sales,
		screens: [
			screen(t.Customers, "/customers", "customers", () => import("./pages/customers/customers")),
			screen(t.Subscriptions, "/subscriptions", "subscriptions", () => import("./pages/subscriptions/subscriptions")),
			screen(t.Invoices, "/invoices", "invoices", () => import("./pages/invoices/invoices")),
		],
	},
	{ name: t.catalogue, screens: [] },
	{
		name: t.operations,
		screens: [screen(t.Tasks, "/tasks", "tasks", () => import("./pages/tasks/tasks"))],
	},
];

export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);
