import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { charges, metadata, usageCharges } from "../contract/bodies";
import { catalogue, customers, packages } from "../contract/scenario";
import type { Catalogue, Package } from "./catalogue";
import { everyMeter } from "./every-meter";
import type { Request } from "./plan";

export interface PlannedCatalogue {
	readonly name: string;
	readonly catalogue: Catalogue;
	readonly requests: readonly Request[];
}

const folder = resolve(import.meta.dir, "../catalogues");
const files = ["credits-ai", "freemium", "seats", "usage-api"];

/** Returns catalogues that together have each kind of price, meter, entitlement and coupon. */
export async function plannedCatalogues(): Promise<PlannedCatalogue[]> {
	const read = files.map((name) => ({ name, catalogue: readCatalogue(name) }));
	const described = [{ name: "every-meter", catalogue: everyMeter }, ...read];
	return [
		...described.map(({ name, catalogue }) => ({ name, catalogue, requests: requestsFor(catalogue) })),
		await contractsCatalogue(),
	];
}

const readCatalogue = (name: string): Catalogue => parse(readFileSync(join(folder, `${name}.yaml`), "utf8"));

function requestsFor({ products, currencies = [], features, addons = [], plans, coupons = [] }: Catalogue): Request[] {
	return [
		...products.map(({ id, displayName, description }: { id: string; displayName?: string; description?: string }) =>
			post("/products", { id, displayName: displayName ?? id, ...(description && { description }) }),
		),
		...currencies.map((currency) => post("/credits/custom-currencies", currency)),
		...features.flatMap(({ meter, ...feature }) => [
			post("/features", { displayName: feature.id, ...feature }),
			...(meter ? [patch(`/features/${feature.id}`, { meter })] : []),
		]),
		...coupons.map((coupon) => post("/coupons", { ...emptyCoupon, ...coupon })),
		...dependentLast(addons).flatMap((addon) => packageRequests("addons", addon)),
		...dependentLast(plans).flatMap((plan) => packageRequests("plans", plan)),
		// Their settings refer to plans.
		...products.map(({ id, ...settings }) => patch(`/products/${id}`, settings)),
	];
}

const emptyCoupon = { description: null, metadata: null, percentOff: null, amountsOff: null, durationInMonths: null };

const dependentLast = (sold: readonly Package[]): Package[] => {
	const depthOf = ({ parentPlanId, dependencies = [] }: Package): number =>
		1 + Math.max(-1, ...sold.filter(({ id }) => id === parentPlanId || dependencies.includes(id)).map(depthOf));
	return sold.toSorted((one, other) => depthOf(one) - depthOf(other));
};

function packageRequests(kind: "plans" | "addons", sold: Package): Request[] {
	const { charges, entitlements = [], dependencies, compatibleAddonIds, ...body } = sold;
	const path = `/${kind}/${sold.id}`;
	return [
		post(`/${kind}`, body),
		...(dependencies || compatibleAddonIds ? [patch(path, { dependencies, compatibleAddonIds })] : []),
		...(entitlements.length > 0 ? [post(`${path}/entitlements`, { entitlements })] : []),
		...(charges ? [patch(path, { charges })] : []),
		post(`${path}/publish`, { migrationType: "NEW_CUSTOMERS" }),
	];
}

const post = (path: string, body: unknown): Request => ({ method: "POST", path, body });
const patch = (path: string, body: unknown): Request => ({ method: "PATCH", path, body });

/** The catalogue and the customers of the contract's scenario, with as many fields set as a request can have. */
async function contractsCatalogue(): Promise<PlannedCatalogue> {
	const requests: Request[] = [];
	const send = async (method: string, path: string, body?: unknown) => {
		if (method !== "GET") requests.push({ method, path, ...(body !== undefined && { body }) });
		return {};
	};
	await catalogue(send);
	await packages(send);
	await customers(send);
	const product = { multipleSubscriptions: true, metadata };
	return {
		name: "contract",
		requests: [...requests, patch("/products/app", product)],
		catalogue: {
			products: [{ id: "app", multipleSubscriptions: true }],
			currencies: [{ id: "gold" }],
			features: [
				{
					...{ id: "calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
					meter: {
						aggregation: { function: "SUM", field: "size" },
						filters: [{ conditions: [{ field: "eventName", value: "call" }] }],
					},
				},
				{ id: "seats", featureType: "NUMBER", meterType: "FLUCTUATING" },
				{ id: "width", featureType: "NUMBER", meterType: "INCREMENTAL" },
				{ id: "depth", featureType: "NUMBER", meterType: "INCREMENTAL" },
				{ id: "sso", featureType: "BOOLEAN" },
			],
			addons: [
				{ id: "extra", productId: "app" },
				{ id: "needed", productId: "app" },
			],
			plans: [
				{ id: "pro", productId: "app", charges: charges as Package["charges"] & object },
				{ id: "usage", productId: "app", charges: usageCharges },
				{ id: "free", productId: "app", charges: { pricingType: "FREE" } },
			],
			coupons: [{ id: "TEN" }, { id: "FIVE" }],
		},
	};
}
