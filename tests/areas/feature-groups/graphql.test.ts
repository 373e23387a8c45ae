import { beforeEach, expect, test } from "bun:test";
import { ask, codes } from "../../graphql/ask";
import { mutate } from "../../graphql/mutate";
import { type World, world } from "../../support/world";
import { maker } from "../packages/catalogue";

let ours: World;
beforeEach(async () => {
	ours = world();
	for (const id of ["sso", "audit", "calls"]) await maker(ours).feature(id);
});

const selection = `{ refId featureGroupId displayName description status features { refId } additionalMetaData
	environmentId createdAt updatedAt }`;
const safety = { refId: "safety", displayName: "Safety", featureIds: ["sso", "audit"] };
const run = (name: string, input: object, more: object = {}) => mutate(ours, name, input, { selection, ...more });
const shown = async () => (await ask(ours, `{ featureGroup(refId: "safety") ${selection} }`)).data.featureGroup;

test("a feature group is made, changed, archived and listed", async () => {
	const now = "2026-01-31T00:00:00.000Z";
	const first = {
		...{ refId: "safety", featureGroupId: "safety", displayName: "Safety", description: null, status: "ACTIVE" },
		...{ features: [{ refId: "sso" }, { refId: "audit" }], additionalMetaData: {} },
		...{ environmentId: ours.environmentId, createdAt: now, updatedAt: now },
	};
	expect(await run("createOneFeatureGroup", safety)).toEqual({ data: { createOneFeatureGroup: first } });
	const changes = { description: "Who and when", featureIds: ["calls", "sso"], additionalMetaData: { a: "b" } };
	const changed = {
		...{ ...first, description: "Who and when", additionalMetaData: { a: "b" } },
		features: [{ refId: "calls" }, { refId: "sso" }],
	};
	expect(await run("updateOneFeatureGroup", { refId: "safety", ...changes })).toEqual({
		data: { updateOneFeatureGroup: changed },
	});
	const named = await run("updateOneFeatureGroup", { refId: "safety", displayName: "Safe", description: null });
	expect(named.data.updateOneFeatureGroup).toEqual({ ...changed, displayName: "Safe", description: null });
	for (const _ of [1, 2])
		expect((await run("archiveFeatureGroup", { refId: "safety" })).data.archiveFeatureGroup.status).toBe("ARCHIVED");
	expect(codes(await run("updateOneFeatureGroup", { refId: "safety", displayName: "No" }))).toEqual([
		"EntityIsArchivedError",
	]);
	await run("createOneFeatureGroup", { ...safety, refId: "other" });
	const list = async (filter: string) =>
		(
			await ask(
				ours,
				`{ featureGroups(filter: { ${filter} }) { totalCount edges { node { refId features { refId } } } } }`,
			)
		).data.featureGroups.edges.map(({ node }: { node: { refId: string } }) => node.refId);
	expect(await list("")).toEqual(["other", "safety"]);
	expect(await list("status: { eq: ARCHIVED }")).toEqual(["safety"]);
	expect(await list('refId: { eq: "other" }')).toEqual(["other"]);
	expect((await run("unarchiveFeatureGroup", { refId: "safety" })).data.unarchiveFeatureGroup.status).toBe("ACTIVE");
	expect((await shown()).displayName).toBe("Safe");
});

test.each([
	["an id that is taken", safety, "DuplicatedEntityNotAllowed"],
	["an unknown feature", { ...safety, refId: "b", featureIds: ["sso", "nope"] }, "FeatureNotFound"],
	["no feature", { ...safety, refId: "b", featureIds: [] }, "BadUserInput"],
	["a feature twice", { ...safety, refId: "b", featureIds: ["sso", "sso"] }, "BadUserInput"],
	[
		"too many features",
		{ ...safety, refId: "b", featureIds: Array.from({ length: 201 }, (_, at) => `f${at}`) },
		"BadUserInput",
	],
	["no id", { displayName: "B", featureIds: ["sso"] }, "BadUserInput"],
	["an id that is none", { ...safety, refId: "a b" }, "BadUserInput"],
	["an id that is too long", { ...safety, refId: "a".repeat(256) }, "BadUserInput"],
	["a name of another type", { ...safety, refId: "b", displayName: 7 }, "BadUserInput"],
	["an unknown key", { ...safety, refId: "b", colour: "red" }, "BadUserInput"],
])("a feature group is not made with %s", async (_, input, code) => {
	await run("createOneFeatureGroup", safety);
	expect(codes(await run("createOneFeatureGroup", input))).toEqual([code]);
});

test("a feature group is refused archived features, and those who may not", async () => {
	await ours.call("POST", "/features/audit/archive");
	expect(codes(await run("createOneFeatureGroup", safety))).toEqual(["EntityIsArchivedError"]);
	const reading = ours.scopedKey("CATALOG:READ");
	const input = { ...safety, featureIds: ["sso"] };
	expect(codes(await run("createOneFeatureGroup", input, { key: reading }))).toEqual(["AccessDeniedError"]);
	await run("createOneFeatureGroup", input);
	expect((await shown()).features).toEqual([{ refId: "sso" }]);
	for (const name of ["updateOneFeatureGroup", "archiveFeatureGroup", "unarchiveFeatureGroup"]) {
		expect(codes(await run(name, { refId: "nope" }))).toEqual(["FeatureGroupNotFoundError"]);
		expect(codes(await run(name, { refId: "safety" }, { key: reading }))).toEqual(["AccessDeniedError"]);
	}
});

test("another environment's key sees no feature group", async () => {
	await run("createOneFeatureGroup", safety);
	const { data, errors } = await ask(
		ours,
		`{ featureGroup(refId: "safety") { refId } featureGroups { totalCount } }`,
		{},
		{
			key: ours.foreignKey,
		},
	);
	expect([data.featureGroup, codes({ errors }), data.featureGroups.totalCount]).toEqual([
		null,
		["FeatureGroupNotFoundError"],
		0,
	]);
});
