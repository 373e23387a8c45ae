import { describe, expect, test } from "bun:test";
import {
	billingPhase,
	billingPhases,
	billingTransitions,
	type ContractAction,
	contractActions,
	nextPhase,
	shownState,
} from "../../../src/areas/contracts/rules.states";
import type { Instant } from "../../../src/kernel/clock";
import { DomainError } from "../../../src/kernel/errors";
import { draftWorld, fee, year } from "./support";

/** Written out once more, by hand: what each action makes of each phase, or the reason for which it is refused. */
const wanted: Readonly<Record<ContractAction, readonly string[]>> = {
	//                 NONE                  DRAFT               ACTIVE                AMENDING          CANCELED            END_BILLING
	update: ["NONE", "DRAFT", "ACTIVE", "AMENDING", "CANCELED", "END_BILLING"],
	setUpBilling: ["DRAFT", "DRAFT", "ACTIVE", "AMENDING", "CANCELED", "END_BILLING"],
	setRenewal: ["BILLING_NOT_SET_UP", "DRAFT", "ACTIVE", "AMENDING", "BILLING_CANCELED", "BILLING_ENDED"],
	changeItems: ["BILLING_NOT_SET_UP", "DRAFT", "CONTRACT_NOT_DRAFT", "AMENDING", "BILLING_CANCELED", "BILLING_ENDED"],
	publish: ["BILLING_NOT_SET_UP", "ACTIVE", "CONTRACT_NOT_DRAFT", "ACTIVE", "BILLING_CANCELED", "BILLING_ENDED"],
	amend: ["BILLING_NOT_SET_UP", "CONTRACT_NOT_LIVE", "AMENDING", "AMENDMENT_OPEN", "BILLING_CANCELED", "BILLING_ENDED"],
	discardAmendment: [
		"BILLING_NOT_SET_UP",
		"CONTRACT_NOT_LIVE",
		"NO_AMENDMENT_OPEN",
		"ACTIVE",
		"BILLING_CANCELED",
		"BILLING_ENDED",
	],
	reopen: ["BILLING_NOT_SET_UP", "CONTRACT_NOT_LIVE", "DRAFT", "AMENDMENT_OPEN", "DRAFT", "BILLING_ENDED"],
	cancelBilling: ["BILLING_NOT_SET_UP", "CANCELED", "CANCELED", "CANCELED", "BILLING_CANCELED", "BILLING_ENDED"],
	endBilling: [
		"BILLING_NOT_SET_UP",
		"CONTRACT_NOT_LIVE",
		"END_BILLING",
		"AMENDMENT_OPEN",
		"BILLING_CANCELED",
		"BILLING_ENDED",
	],
	refreshUsage: ["BILLING_NOT_SET_UP", "CONTRACT_NOT_LIVE", "ACTIVE", "AMENDING", "BILLING_CANCELED", "END_BILLING"],
	archive: ["NONE", "CANCELED", "CANCELED", "CANCELED", "CANCELED", "END_BILLING"],
};

const now = Date.UTC(2026, 0, 31) as Instant;
const halves = (phase: (typeof billingPhases)[number], archivedAt: Instant | null = null) => ({
	refId: "C-1",
	billingState: shownState(phase),
	amendingSince: phase === "AMENDING" ? now : null,
	archivedAt,
});

function outcome(act: () => string): { result: string; message?: string } {
	try {
		return { result: act() };
	} catch (refusal) {
		if (!(refusal instanceof DomainError)) throw refusal;
		return { result: refusal.reason ?? refusal.code, message: refusal.message };
	}
}

describe("the table of states", () => {
	test("every pair of an action and a phase, of a contract that stands and of one that is archived", () => {
		for (const action of contractActions)
			for (const [at, phase] of billingPhases.entries()) {
				const { result, message } = outcome(() => nextPhase(halves(phase), action));
				expect([action, phase, result]).toEqual([action, phase, wanted[action][at] ?? ""]);
				// A refusal names the contract, and what to do instead where there is something.
				if (message !== undefined)
					expect(message).toMatch(/'C-1'.*(by POST|by PATCH|as they are|so there is none|Create a)/);
				const archived = outcome(() => nextPhase(halves(phase, now), action));
				expect([action, phase, archived.result]).toEqual([
					action,
					phase,
					action === "archive" ? (wanted.archive[at] ?? "") : "EntityIsArchivedError",
				]);
			}
	});

	test("derives the phase from the stored state, and every phase can be reached", () => {
		for (const phase of billingPhases) expect(billingPhase(halves(phase))).toBe(phase);
		const reached = new Set(["NONE", "DRAFT"]);
		for (let round = 0; round < billingPhases.length; round += 1)
			for (const action of contractActions)
				for (const [from, to] of Object.entries(billingTransitions[action])) if (reached.has(from)) reached.add(to);
		expect([...reached].sort()).toEqual([...billingPhases].sort());
	});
});

describe("by HTTP, from every phase", () => {
	const path = "/contracts/C-1";
	/** All of it lies ahead: nothing is invoiced when it is published. */
	const ahead = { activationStartDate: "2027-01-01T00:00:00.000Z", activationEndDate: "2028-01-01T00:00:00.000Z" };
	const past = { activationStartDate: "2025-01-01T00:00:00.000Z", activationEndDate: "2026-01-01T00:00:00.000Z" };
	type Here = Awaited<ReturnType<typeof draftWorld>>;

	async function ok({ call }: Here, method: string, tail: string, body?: object) {
		const answer = await call(method, `${path}${tail}`, { ...(body && { body }) });
		if (answer.status >= 300) throw new Error(`${method} ${tail}: ${JSON.stringify(answer.body)}`);
	}
	async function published(window: object) {
		const here = await draftWorld();
		await ok(here, "POST", "/billing/items", { items: [fee], ...window });
		await ok(here, "POST", "/billing/publish");
		return here;
	}
	const worlds: Readonly<Record<string, () => Promise<Here>>> = {
		NONE: () => draftWorld({ setupBilling: false }),
		async DRAFT() {
			const here = await draftWorld();
			await ok(here, "POST", "/billing/items", { items: [fee], ...ahead });
			return here;
		},
		ACTIVE: () => published(ahead),
		async AMENDING() {
			const here = await published(ahead);
			await ok(here, "POST", "/billing/edit-active");
			return here;
		},
		async CANCELED() {
			const here = await published(ahead);
			await ok(here, "POST", "/billing/cancel");
			return here;
		},
		END_BILLING: () => published(past),
	};
	const calls: Partial<Record<ContractAction, readonly [method: string, tail: string, body?: object]>> = {
		update: ["PATCH", "", { name: "New" }],
		setUpBilling: ["PATCH", "", { setupBilling: true }],
		changeItems: ["POST", "/billing/items", { items: [{ ...fee, externalId: "more" }] }],
		publish: ["POST", "/billing/publish"],
		amend: ["POST", "/billing/edit-active"],
		discardAmendment: ["DELETE", "/billing/edit-active"],
		reopen: ["POST", "/billing/reopen"],
		cancelBilling: ["POST", "/billing/cancel"],
		refreshUsage: ["POST", "/usage/refresh"],
		archive: ["POST", "/archive"],
	};

	const pairs = Object.keys(worlds).flatMap((phase) =>
		(Object.keys(calls) as ContractAction[]).map((action) => [phase, action] as const),
	);
	test.each(pairs)("%s, %s", async (phase, action) => {
		const here = await worlds[phase]?.();
		const [method = "", tail = "", body] = calls[action] ?? [];
		if (!here) throw new Error(`There is no world of ${phase}.`);
		const { data: before } = (await here.call("GET", path)).body;
		expect(before.billingState ?? "NONE").toBe(phase === "AMENDING" ? "ACTIVE" : phase);
		const answer = await here.call(method, `${path}${tail}`, { ...(body && { body }) });
		const { data: after } = (await here.call("GET", path)).body;
		const at = (billingPhases as readonly string[]).indexOf(phase);
		const want = wanted[action][at] ?? "";
		if (answer.status < 300) {
			expect(after.billingState ?? "NONE").toBe(want === "AMENDING" ? "ACTIVE" : want);
			expect(after.state).toBe(action === "archive" ? "CANCELED" : "ACTIVE");
		} else {
			expect(answer).toMatchObject({
				status: 400,
				body: { code: "BillingContractOperationRejected", reason: want, message: expect.stringContaining("'C-1'") },
			});
			expect(after).toEqual(before);
		}
		const again = await here.call("POST", `${path}/archive`);
		expect(again.body.data.state).toBe("CANCELED");
		if (action !== "archive")
			expect(await here.call(method, `${path}${tail}`, { ...(body && { body }) })).toMatchObject({
				status: 400,
				body: { code: "EntityIsArchivedError" },
			});
	});

	test("without a subscription that runs, the contract's own state follows its billing", async () => {
		const states: Record<string, string> = {};
		for (const [phase, make] of Object.entries(worlds)) {
			const here = await make();
			await here.call("DELETE", `${path}/subscriptions/sub-platform`);
			states[phase] = (await here.call("GET", path)).body.data.state;
			expect((await here.call("GET", `/contracts?state=${states[phase]}`)).body.data).toHaveLength(1);
		}
		expect(states).toEqual({
			NONE: "DRAFT",
			DRAFT: "DRAFT",
			ACTIVE: "ACTIVE",
			AMENDING: "ACTIVE",
			CANCELED: "DRAFT",
			END_BILLING: "END_BILLING",
		});
	});

	test("an invoiced contract is never a draft again, live or canceled; nothing more is invoiced once it is canceled", async () => {
		const here = await published(year);
		const invoices = async () => (await here.call("GET", "/customers/acme/invoices")).body.data.length;
		expect(await invoices()).toBe(1);
		const reopen = () => here.call("POST", `${path}/billing/reopen`);
		expect(await reopen()).toMatchObject({
			status: 400,
			body: { reason: "INVOICES_ISSUED", message: expect.stringContaining("edit-active") },
		});
		await ok(here, "POST", "/billing/cancel");
		expect(await reopen()).toMatchObject({ status: 400, body: { reason: "INVOICES_ISSUED" } });
		await here.advance("2026-12-01T00:00:00Z");
		expect(await invoices()).toBe(1);
	});

	test("a draft again is changed and published as if for the first time", async () => {
		const here = await published(ahead);
		await ok(here, "POST", "/billing/reopen");
		await ok(here, "PATCH", "/billing/items/fee", { rows: [{ price: 7 }] });
		await ok(here, "POST", "/billing/publish");
		await here.advance("2027-02-15T00:00:00Z");
		const { data } = (await here.call("GET", "/customers/acme/invoices")).body;
		expect(data.map(({ total }: { total: number }) => total)).toEqual([7, 7]);
	});
});
