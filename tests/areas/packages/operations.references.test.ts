import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { getPublishedVersion } from "../../../src/areas/packages/operations";
import { type World, world } from "../../support/world";
import { catalogue, maker } from "./catalogue";
import { isRefusal } from "./guards";

const depend = ({ call }: World, id: string, dependencies: readonly string[]) =>
	call("PATCH", `/addons/${id}`, { body: { dependencies } });

/** Whether the graph has a circle, by taking away what needs nothing until nothing goes: another way than the rule's. */
function hasCircle(graph: ReadonlyMap<string, readonly string[]>): boolean {
	const left = new Map(graph);
	for (;;) {
		const free = [...left].filter(([, needs]) => !needs.some((need) => left.has(need)));
		if (free.length === 0) return left.size > 0;
		for (const [id] of free) left.delete(id);
	}
}

describe("addons that need each other", () => {
	test("the short way and the long way round are refused, drafts and published versions alike", async () => {
		const ours = await catalogue();
		const make = maker(ours);
		for (const id of ["a", "b", "c"]) await make.addon(id, { pricingType: "FREE" });
		await depend(ours, "b", ["a"]);
		await depend(ours, "c", ["b"]);
		isRefusal(await depend(ours, "a", ["a"]), 400, "BadUserInput", "itself");
		isRefusal(await depend(ours, "a", ["b"]), 400, "IntegrityViolation", "'b' needs 'a'");
		isRefusal(await depend(ours, "a", ["c"]), 400, "IntegrityViolation", "'b' needs 'a'");
		for (const id of ["a", "b", "c"]) await make.publish(`/addons/${id}`);
		// The draft lets go, but what is sold still holds.
		await ours.call("POST", "/addons/b/draft");
		expect((await depend(ours, "b", [])).status).toBe(200);
		await ours.call("POST", "/addons/a/draft");
		isRefusal(await depend(ours, "a", ["b"]), 400, "IntegrityViolation");
		await make.publish("/addons/b");
		expect((await depend(ours, "a", ["b"])).status).toBe(200);
	});

	test("whatever is asked in whatever order, no circle ever stands", async () => {
		const names = ["a", "b", "c", "d"];
		const asked = fc.array(fc.tuple(fc.constantFrom(...names), fc.uniqueArray(fc.constantFrom(...names))), {
			minLength: 1,
			maxLength: 8,
		});
		const seen = { taken: 0, refused: 0 };
		await fc.assert(
			fc.asyncProperty(asked, async (steps) => {
				const ours = world();
				await maker(ours).product();
				for (const id of names) await maker(ours).addon(id);
				const graph = new Map<string, readonly string[]>(names.map((id) => [id, []]));
				for (const [id, dependencies] of steps) {
					const { status } = await depend(ours, id, dependencies);
					const wouldBe = new Map(graph).set(id, dependencies);
					expect([id, dependencies, status]).toEqual([id, dependencies, hasCircle(wouldBe) ? 400 : 200]);
					seen[status === 200 ? "taken" : "refused"] += 1;
					if (status === 200) graph.set(id, dependencies);
				}
			}),
			{ numRuns: 25 },
		);
		expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(5);
	});
});

describe("referenced packages cannot be removed", () => {
	const publishFree = async (ours: World, path: string) => {
		await maker(ours).charge(path, { pricingType: "FREE" });
		await maker(ours).publish(path);
	};

	test("an addon that a plan lists as compatible", async () => {
		const ours = await catalogue();
		const list = (compatibleAddonIds: string[]) => ours.call("PATCH", "/plans/pro", { body: { compatibleAddonIds } });
		await list(["extra"]);
		isRefusal(await ours.call("DELETE", "/addons/extra/draft"), 400, "AddonIsCompatibleWithPlan", "'pro'");
		await publishFree(ours, "/addons/extra");
		isRefusal(await ours.call("POST", "/addons/extra/archive"), 400, "AddonIsCompatibleWithPlan", "'pro'");
		await publishFree(ours, "/plans/pro");
		await ours.call("POST", "/plans/pro/draft");
		await list([]);
		isRefusal(await ours.call("POST", "/addons/extra/archive"), 400, "AddonIsCompatibleWithPlan", "'pro'");
		await maker(ours).publish("/plans/pro");
		expect((await ours.call("POST", "/addons/extra/archive")).status).toBe(200);
	});

	test("an addon that another one needs", async () => {
		const ours = await catalogue();
		await maker(ours).addon("needy");
		await depend(ours, "needy", ["extra"]);
		isRefusal(await ours.call("DELETE", "/addons/extra/draft"), 400, "IntegrityViolation", "'needy' needs");
		await depend(ours, "needy", []);
		expect((await ours.call("DELETE", "/addons/extra/draft")).status).toBe(200);
	});

	test("an archived plan holds no base back", async () => {
		const ours = await catalogue();
		await publishFree(ours, "/plans/pro");
		await maker(ours).plan("child", { parentPlanId: "pro" });
		await publishFree(ours, "/plans/child");
		isRefusal(await ours.call("POST", "/plans/pro/archive"), 400, "PlanWithChildCantBeDeleted", "'child'");
		await ours.call("POST", "/plans/child/archive");
		expect((await ours.call("POST", "/plans/pro/archive")).status).toBe(200);
	});

	test("a plan of the same name is another matter", async () => {
		const ours = await catalogue();
		await maker(ours).plan("extra");
		await ours.call("PATCH", "/plans/pro", { body: { compatibleAddonIds: ["extra"] } });
		expect((await ours.call("DELETE", "/plans/extra/draft")).status).toBe(200);
		await publishFree(ours, "/addons/extra");
		expect(
			ours.transactions.read(ours.actor, (work) => getPublishedVersion(work, "ADDON", "extra").versionNumber),
		).toBe(1);
	});
});
