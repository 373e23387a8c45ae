import { expect } from "bun:test";
import { type Answer, preparedWorld, type World } from "../../support/world";

/** Makes things by the API and insists that it worked, so that a test's own steps stand out. */
export const maker = ({ call }: Pick<World, "call">) => {
	const made = async (answer: Promise<Answer>): Promise<Answer["body"]> => {
		const { status, body } = await answer;
		if (status !== 200 && status !== 201) expect({ status, body }).toEqual({ status: 201, body: "something made" });
		return body.data;
	};
	return {
		product: (id = "app") => made(call("POST", "/products", { body: { id, displayName: id } })),
		feature: (id: string, body: object = {}) =>
			made(call("POST", "/features", { body: { id, displayName: id, featureType: "BOOLEAN", ...body } })),
		currency: (id: string) => made(call("POST", "/credits/custom-currencies", { body: { id, displayName: id } })),
		plan: (id: string, body: object = {}) =>
			made(call("POST", "/plans", { body: { id, displayName: id, productId: "app", ...body } })),
		addon: (id: string, body: object = {}) =>
			made(call("POST", "/addons", { body: { id, displayName: id, productId: "app", ...body } })),
		entitle: (path: string, ...entitlements: object[]) =>
			made(call("POST", `${path}/entitlements`, { body: { entitlements } })),
		charge: (path: string, charges: object) => made(call("PATCH", path, { body: { charges } })),
		publish: (path: string, migrationType: "NEW_CUSTOMERS" | "ALL_CUSTOMERS" = "NEW_CUSTOMERS") =>
			made(call("POST", `${path}/publish`, { body: { migrationType } })),
	};
};

export const metered = { featureType: "NUMBER", meterType: "INCREMENTAL" };
export const seats = { featureType: "NUMBER", meterType: "FLUCTUATING" };
export const region = {
	featureType: "ENUM",
	enumConfiguration: [
		{ value: "eu", displayName: "Europe" },
		{ value: "us", displayName: "America" },
	],
};

/** A product `app`, features of each kind, a currency `gold`, the draft plan `pro` and the draft addon `extra`. */
export const catalogue = (): Promise<World> => preparedWorld("catalogue", fill);

export async function fill(ours: World): Promise<void> {
	const make = maker(ours);
	await make.product();
	await make.feature("sso");
	await make.feature("calls", metered);
	await make.feature("seats", seats);
	await make.feature("depth", { featureType: "NUMBER" });
	await make.feature("region", region);
	await make.currency("gold");
	await make.plan("pro");
	await make.addon("extra");
}
