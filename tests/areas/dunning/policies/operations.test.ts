import { describe, expect, test } from "bun:test";
import { dunningSite, standard } from "../site";

const text = { kind: "DUE", language: "en", subject: "Due", text: "{invoices}" };

describe("a dunning policy", () => {
	test("has the default schedule, changes and is archived", async () => {
		const site = await dunningSite(null);
		const made = await site.send("POST", "/dunning-policies", standard);
		expect(made).toMatchObject({
			status: 201,
			data: {
				...{ id: "standard", status: "ACTIVE", reminders: [-3, 0, 7, 14, 28], texts: [] },
				retries: { days: [0, 2, 5, 9, 14, 21], buckets: ["RETRY_LATER", "INSUFFICIENT_FUNDS"] },
				end: { action: "LEAVE_OPEN", afterDays: 42 },
				appliesTo: { isDefault: false, legalEntityIds: [], planIds: [] },
			},
		});
		const change = { reminders: [1], texts: [text], appliesTo: { isDefault: true } };
		const changed = await site.send("PATCH", "/dunning-policies/standard", change);
		expect(changed.data).toMatchObject({ ...change, appliesTo: { isDefault: true, planIds: [] } });
		expect((await site.send("GET", "/dunning-policies/standard")).data).toEqual(changed.data);
		const early = await site.send("PATCH", "/dunning-policies/standard", { end: { action: "CANCEL", afterDays: 10 } });
		expect(early.data.retries.days).toEqual([0, 2, 5, 9]);
		const off = await site.send("PATCH", "/dunning-policies/standard", { retries: null });
		expect(off.data.retries).toBeNull();
		const set = { days: [0, 3], buckets: ["INSUFFICIENT_FUNDS"] };
		expect((await site.send("PATCH", "/dunning-policies/standard", { retries: set })).data.retries).toEqual(set);
		const archived = await site.send("POST", "/dunning-policies/standard/archive");
		expect(archived.data).toMatchObject({ status: "ARCHIVED", appliesTo: { isDefault: false } });
		expect((await site.send("PATCH", "/dunning-policies/standard", {})).code).toBe("EntityIsArchivedError");
		expect((await site.send("GET", "/dunning-policies?status=ACTIVE")).data).toEqual([]);
	});

	test("is refused without an end, with a hundred steps, and with terms that contradict each other", async () => {
		const site = await dunningSite();
		const { end: _, ...endless } = standard;
		const refusals: ReadonlyArray<readonly [body: object, code: string, says: string]> = [
			[endless, "BadUserInput", "end"],
			[{ ...standard, reminders: Array.from({ length: 100 }, (_, day) => day) }, "BadUserInput", "reminders"],
			[{ ...standard, reminders: [] }, "BadUserInput", "reminders"],
			[{ ...standard, reminders: [1.5] }, "BadUserInput", "reminders"],
			[{ ...standard, reminders: [-366] }, "BadUserInput", "reminders"],
			[{ ...standard, fee: 5 }, "BadUserInput", "fee"],
			[{ ...standard, reminders: [0, 7, 7] }, "InvalidArgumentError", "'reminders[2]' is 7"],
			[{ ...standard, retries: { days: [] } }, "BadUserInput", "retries"],
			[{ ...standard, retries: { days: [-1] } }, "BadUserInput", "retries"],
			[{ ...standard, retries: { days: Array.from({ length: 16 }, (_, day) => day) } }, "BadUserInput", "retries"],
			[{ ...standard, retries: { days: [0, 2, 2] } }, "InvalidArgumentError", "'retries.days[2]' is 2"],
			[{ ...standard, retries: { days: [0, 42] } }, "InvalidArgumentError", "the last try of 'retries' is on day 42"],
			[
				{ ...standard, retries: { days: [0, 2], buckets: ["RETRY_LATER", "NEVER"] } },
				...(["InvalidArgumentError", "'retries.buckets[1]' is NEVER, which a policy cannot retry"] as const),
			],
			...(["NEW_METHOD", "AUTHENTICATE", "OURS"] as const).map(
				(bucket) =>
					[
						{ ...standard, retries: { days: [0], buckets: [bucket] } },
						...(["InvalidArgumentError", `'retries.buckets[0]' is ${bucket}`] as const),
					] as const,
			),
			[
				{ ...standard, end: { action: "CANCEL", afterDays: 28 } },
				"InvalidArgumentError",
				"the last reminder is on day 28",
			],
			[{ ...standard, end: { action: "WRITE_OFF", afterDays: 42 } }, "InvalidArgumentError", "choose LEAVE_OPEN"],
			[{ ...standard, end: { action: "SUE", afterDays: 42 } }, "BadUserInput", "action"],
			[{ ...standard, texts: [text, text] }, "InvalidArgumentError", "a second text of DUE in 'en'"],
			[{ ...standard, texts: [{ ...text, text: "{password}" }] }, "InvalidArgumentError", "{password}"],
			[{ ...standard, texts: [{ ...text, subject: "two\nlines" }] }, "BadUserInput", "subject"],
			[{ ...standard, texts: [{ ...text, language: "xx" }] }, "BadUserInput", "language"],
			[
				{ ...standard, appliesTo: { isDefault: true } },
				"InvalidArgumentError",
				"'standard' is the default policy already",
			],
			[{ ...standard, appliesTo: { planIds: ["none"] } }, "InvalidArgumentError", "no plan 'none'"],
			[{ ...standard, appliesTo: { legalEntityIds: ["none"] } }, "InvalidArgumentError", "no legal entity 'none'"],
		];
		for (const [body, code, says] of refusals) {
			const answer = await site.send("POST", "/dunning-policies", { ...body, id: "other" });
			expect([answer.code, answer.message]).toEqual([code, expect.stringContaining(says)]);
		}
		expect((await site.send("POST", "/dunning-policies", standard)).code).toBe("DuplicatedEntityNotAllowed");
		expect((await site.send("GET", "/dunning-policies")).data).toHaveLength(1);
		const foreign = { key: site.foreignKey };
		expect((await site.send("GET", "/dunning-policies/standard", undefined, foreign)).status).toBe(404);
		const reader = { key: site.scopedKey("INVOICE:READ") };
		expect((await site.send("POST", "/dunning-policies", standard, reader)).code).toBe("AccessDeniedError");
	});

	test("the most specific one applies: customer, then legal entity, then environment; an exempt customer has none", async () => {
		const site = await dunningSite();
		const entity = (await site.send("GET", "/legal-entities")).data[0].id;
		const make = (id: string, appliesTo: object) =>
			site.send("POST", "/dunning-policies", { ...standard, id, appliesTo });
		const applied = async () => {
			const { id } = await site.bill("2026-03-10");
			const { case: found, explanation } = await site.shown(id);
			return found ? `${found.policyId} ${found.policySource}` : explanation[0];
		};
		expect(await applied()).toBe("standard ENVIRONMENT");
		await make("of-entity", { legalEntityIds: [entity] });
		expect(await applied()).toBe("of-entity LEGAL_ENTITY");
		expect((await make("second", { legalEntityIds: [entity] })).message).toContain("'of-entity' names");
		await make("own", {});
		const set = (body: object) => site.send("PUT", "/customers/cust-1/dunning", body);
		expect((await set({ policyId: "own" })).data).toMatchObject({ policyId: "own", applied: { source: "CUSTOMER" } });
		expect(await applied()).toBe("own CUSTOMER");
		await site.send("POST", "/dunning-policies/own/archive");
		expect(await applied()).toBe("of-entity LEGAL_ENTITY");
		expect((await set({ policyId: "own" })).code).toBe("EntityIsArchivedError");
		expect((await set({ policyId: "of-entity", isExempt: true })).message).toContain("contradict");
		expect((await set({ isExempt: true })).data).toEqual({
			...{ customerId: "cust-1", policyId: null, isExempt: true, applied: null },
		});
		expect(await applied()).toBe("Nothing happens: the customer is exempt from dunning.");
		expect((await set({ policyId: null })).data).toMatchObject({ isExempt: false });
		expect((await set({})).code).toBe("BadUserInput");
	});

	test("a change applies to later cases, and its texts to running ones", async () => {
		const site = await dunningSite();
		const { id } = await site.bill("2026-02-10");
		await site.send("PATCH", "/dunning-policies/standard", { reminders: [1], texts: [text] });
		await site.advance("2026-02-11T09:00:00Z");
		expect(await site.steps(id)).toEqual([
			"REMINDER -3 DONE 2026-02-07T07:00:00.000Z",
			"REMINDER 0 DONE 2026-02-10T07:00:00.000Z",
		]);
		expect((await site.mails()).map(({ subject }: { subject: string }) => subject)).toEqual([
			expect.stringContaining("will be due soon"),
			"Due",
		]);
	});
});
