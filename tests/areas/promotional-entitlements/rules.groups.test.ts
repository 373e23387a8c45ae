import { beforeEach, describe, expect, test } from "bun:test";
import { ask, codes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { type World, world } from "../../support/world";
import { grant, item, list, path, prepare } from "./grants";

let ours: World;
beforeEach(async () => {
	ours = world();
	await prepare(ours);
	for (const [refId, ...featureIds] of [
		["safety", "sso", "audit"],
		["scale", "calls", "audit"],
	])
		await made({ refId, displayName: refId, featureIds });
});

const made = async (input: object) => {
	const answer = await mutate(ours, "createOneFeatureGroup", input, { selection: "{ refId }" });
	expect(answer.errors).toBeUndefined();
};

const forever = { period: "LIFETIME" };
const items: Readonly<Record<string, readonly object[]>> = {
	safety: [
		{ featureId: "sso", ...forever },
		{ featureId: "audit", ...forever },
	],
	scale: [
		{ featureId: "calls", usageLimit: 5, ...forever },
		{ featureId: "audit", period: "ONE_MONTH" },
	],
};
const selection = "{ featureId featureGroupIds status period }";
type Verb = "grant" | "revoke" | "unlink";
const change = (verb: Verb, group: string, more: object = {}) =>
	mutate(
		ours,
		`${verb}PromotionalEntitlementsGroup`,
		{
			...{ customerId: "acme", featureGroupId: group },
			...(verb === "grant" && { promotionalEntitlements: items[group] }),
			...more,
		},
		{ selection },
	);
/** Insists that it worked. */
const done = async (verb: Verb, group: string) => {
	const { data, errors } = await change(verb, group);
	expect(errors).toBeUndefined();
	return data[`${verb}PromotionalEntitlementsGroup`];
};
/** Feature → its groups, as REST lists what stands. */
const groups = async () =>
	Object.fromEntries(
		(await list(ours)).map((shown) => [shown.featureId, (shown as { featureGroupIds?: unknown }).featureGroupIds]),
	);
const mayUse = async (featureId: string): Promise<boolean> =>
	(await ours.call("GET", `/customers/acme/entitlements/check?featureId=${featureId}`)).body.data.isGranted;

describe("a feature group is given", () => {
	test("as a whole, and acts", async () => {
		expect(await mayUse("sso")).toBe(false);
		expect(await done("grant", "safety")).toEqual([
			{ featureId: "sso", featureGroupIds: ["safety"], status: "Active", period: "LIFETIME" },
			{ featureId: "audit", featureGroupIds: ["safety"], status: "Active", period: "LIFETIME" },
		]);
		expect([await mayUse("sso"), await mayUse("audit"), await mayUse("calls")]).toEqual([true, true, false]);
		expect(await groups()).toEqual({ sso: ["safety"], audit: ["safety"] });
	});

	test("again, with other terms and with the features that it has now", async () => {
		await done("grant", "safety");
		await mutate(ours, "updateOneFeatureGroup", { refId: "safety", featureIds: ["sso"] }, { selection: "{ refId }" });
		expect(await groups()).toEqual({ sso: ["safety"], audit: ["safety"] });
		const answer = await change("grant", "safety", {
			promotionalEntitlements: [{ featureId: "sso", period: "ONE_YEAR" }],
		});
		expect(answer.data.grantPromotionalEntitlementsGroup).toMatchObject([{ featureId: "sso", period: "ONE_YEAR" }]);
		expect(await groups()).toEqual({ sso: ["safety"], audit: ["safety"] });
	});

	test("in place of what was given alone", async () => {
		await grant(ours, item("sso"));
		await done("grant", "safety");
		expect(await groups()).toEqual({ sso: ["safety"], audit: ["safety"] });
		await done("revoke", "safety");
		expect(await groups()).toEqual({});
	});

	test.each([
		["a feature left out", [{ featureId: "sso", ...forever }], "FeatureGroupMissingFeaturesError", "'audit'"],
		[
			"another feature",
			[...(items.safety ?? []), { featureId: "depth", usageLimit: 1, ...forever }],
			"FeatureNotBelongToFeatureGroupError",
			"'depth'",
		],
		["a feature twice", [...(items.safety ?? []), { featureId: "sso", ...forever }], "BadUserInput", "twice"],
		[
			"terms that do not fit",
			[{ featureId: "sso", usageLimit: 1, ...forever }, items.safety?.[1]],
			"UnsupportedFeatureType",
			"'usageLimit'",
		],
		["nothing", [], "BadUserInput", "promotionalEntitlements"],
	])("not with %s", async (_, promotionalEntitlements, code, says) => {
		const { errors } = await change("grant", "safety", { promotionalEntitlements });
		expect([codes({ errors }), errors[0].message]).toEqual([[code], expect.stringContaining(says)]);
		expect(await list(ours)).toEqual([]);
	});

	test("not while it is archived; its grants continue, and can be revoked", async () => {
		await done("grant", "safety");
		await mutate(ours, "archiveFeatureGroup", { refId: "safety" }, { selection: "{ refId }" });
		expect(codes(await change("grant", "safety"))).toEqual(["EntityIsArchivedError"]);
		expect(await mayUse("sso")).toBe(true);
		await done("revoke", "safety");
		expect(await mayUse("sso")).toBe(false);
	});

	test.each(["grant", "revoke", "unlink"] as const)("by nobody else's id: %s", async (verb) => {
		expect(
			codes(
				await change(verb, "safety", {
					featureGroupId: "nope",
					...(verb === "grant" && { promotionalEntitlements: items.safety }),
				}),
			),
		).toEqual(["FeatureGroupNotFoundError"]);
		expect(codes(await change(verb, "safety", { customerId: "nope" }))).toEqual(["CustomerNotFound"]);
		expect(codes(await change(verb, "safety", { customerId: "" }))).toEqual(["BadUserInput"]);
		const key = ours.scopedKey("CUSTOMER:READ");
		const { errors } = await mutate(
			ours,
			`${verb}PromotionalEntitlementsGroup`,
			{
				customerId: "acme",
				featureGroupId: "safety",
				...(verb === "grant" && { promotionalEntitlements: items.safety }),
			},
			{ selection, key },
		);
		expect(codes({ errors })).toEqual(["AccessDeniedError"]);
	});
});

describe("the grants of a group", () => {
	test("are revoked together; a feature of another group stays with that one", async () => {
		await done("grant", "safety");
		await done("grant", "scale");
		expect(await groups()).toEqual({ sso: ["safety"], audit: ["safety", "scale"], calls: ["scale"] });
		const revoked = await done("revoke", "safety");
		expect(revoked.map(({ featureId }: { featureId: string }) => featureId)).toEqual(["sso", "audit"]);
		expect(await groups()).toEqual({ audit: ["scale"], calls: ["scale"] });
		expect([await mayUse("sso"), await mayUse("audit"), await mayUse("calls")]).toEqual([false, true, true]);
		await done("revoke", "scale");
		expect(await list(ours)).toEqual([]);
		expect(codes(await change("revoke", "scale"))).toEqual(["PromotionalEntitlementNotFoundError"]);
		expect(codes(await change("unlink", "scale"))).toEqual(["PromotionalEntitlementNotFoundError"]);
	});

	test("can neither be granted again nor revoked alone, until the feature is unlinked", async () => {
		await done("grant", "safety");
		const refused = { status: 400, body: { code: "CanNotUpdateEntitlementsFeatureGroup" } };
		expect(await grant(ours, item("sso"))).toMatchObject(refused);
		expect(await ours.call("DELETE", `${path}/sso`)).toMatchObject(refused);
		expect((await done("unlink", "safety")).map((one: { featureGroupIds: unknown }) => one.featureGroupIds)).toEqual([
			null,
			null,
		]);
		expect(await groups()).toEqual({ sso: null, audit: null });
		expect(await mayUse("sso")).toBe(true);
		expect((await grant(ours, item("audit"))).status).toBe(201);
		expect((await ours.call("DELETE", `${path}/sso`)).status).toBe(200);
	});

	test("can be granted again alone once they are over", async () => {
		await done("grant", "scale");
		await ours.advance("P40D");
		expect((await grant(ours, item("audit"))).status).toBe(201);
		expect(await groups()).toEqual({ audit: null, calls: ["scale"] });
		expect((await grant(ours, item("calls", { usageLimit: 1 }))).status).toBe(400);
	});

	test("is shown with the customer", async () => {
		await done("grant", "safety");
		const { data } = await ask(
			ours,
			`{ customers(filter: { refId: { eq: "acme" } }) { edges { node { promotionalEntitlements { featureId featureGroupIds } } } } }`,
		);
		expect(data.customers.edges[0].node.promotionalEntitlements).toEqual(
			expect.arrayContaining([{ featureId: "sso", featureGroupIds: ["safety"] }]),
		);
	});
});
