import { describe, expect, test } from "bun:test";
import {
	type AttemptResult,
	applyOutcome,
	endUncalled,
	type Outcome,
} from "../../../../src/areas/collection/attempts/rules.apply";
import { isFinal } from "../../../../src/areas/collection/attempts/rules.states";
import { beforeCall, keyOf, nextStep } from "../../../../src/areas/collection/attempts/rules.steps";
import type { Instant } from "../../../../src/kernel/clock";
import { answered, attemptIn } from "./attempts";

const two = { twoSteps: true, findByReference: false, keyHours: 24 };
const one = { twoSteps: false, findByReference: true, keyHours: 24 };
const now = 1_000_000_000_000 as Instant;
const hours = (count: number) => (now + count * 3_600_000) as Instant;

describe("an attempt at a provider with two steps", () => {
	test("creates, then confirms, and writes its row before each call", () => {
		const planned = attemptIn("PLANNED");
		expect(nextStep(planned, two, now)).toBe("CREATE");
		expect(beforeCall(planned, "CREATE", two, now)).toMatchObject({ state: "PLANNED", pending: "CREATE" });
		const created = attemptIn("CREATED");
		expect(nextStep(created, two, now)).toBe("CONFIRM");
		const confirming = beforeCall(created, "CONFIRM", two, now);
		expect(confirming).toMatchObject({ state: "CONFIRMING", pending: "CONFIRM" });
		expect(nextStep(confirming, two, now)).toBe("LOOK");
	});

	test("raises the number of its key after a definite answer, and not after a missing one", () => {
		const confirming = beforeCall(attemptIn("CREATED"), "CONFIRM", two, now);
		const unanswered = applyOutcome(confirming, "CONFIRM", { kind: "UNANSWERED" }, two, now);
		expect(keyOf("a", "CONFIRM", unanswered)).toBe("a:confirm:1");
		const later = applyOutcome(confirming, "CONFIRM", { kind: "LATER" }, two, now);
		expect(keyOf("a", "CONFIRM", later)).toBe("a:confirm:2");
		expect(nextStep(later, two, now)).toBe("LOOK");
	});

	test("fails as OURS when the provider rejects the call", () => {
		const outcome = { kind: "REJECTED", code: "bad", message: "Bad" } as const;
		expect(applyOutcome(attemptIn("PLANNED"), "CREATE", outcome, two, now)).toMatchObject({
			state: "FAILED",
			failure: { code: "bad", message: "Bad", bucket: "OURS" },
		});
	});
});

describe("an attempt at a provider with one step", () => {
	const calling = beforeCall(attemptIn("PLANNED"), "CREATE", one, now);

	test("is CONFIRMING before its only call, and repeats it with the same key while the provider remembers it", () => {
		expect(calling).toMatchObject({ state: "CONFIRMING", pending: "CREATE" });
		expect(nextStep(calling, one, hours(22))).toBe("CREATE");
		const later = applyOutcome(calling, "CREATE", { kind: "LATER" }, one, now);
		expect(keyOf("a", "CREATE", later)).toBe("a:create:1");
	});

	test("is looked up after that, and UNKNOWN if it is not found: no second charge", () => {
		expect(nextStep(calling, one, hours(23))).toBe("LOOK");
		const unknown = applyOutcome(calling, "LOOK", { kind: "NOT_FOUND" }, one, hours(23));
		expect(unknown.state).toBe("UNKNOWN");
		expect(isFinal(unknown.state)).toBe(false);
		expect(nextStep(unknown, one, hours(1000))).toBe("LOOK");
		expect(applyOutcome(unknown, "LOOK", { kind: "NOT_FOUND" }, one, hours(1000))).toEqual(unknown);
		const found = { kind: "ANSWER", answer: answered("SUCCEEDED") } as const;
		expect(applyOutcome(unknown, "LOOK", found, one, hours(1000)).state).toBe("SUCCEEDED");
	});
});

describe("an attempt of which nothing is due any more", () => {
	test("ends without a call if it has made none", () => {
		const planned = { ...attemptIn("PLANNED"), isCancelWanted: true };
		expect(nextStep(planned, two, now)).toBeNull();
		expect(endUncalled(planned).state).toBe("CANCELED");
	});

	test("is canceled at the provider, or SUCCEEDED if that was too late", () => {
		for (const state of ["CREATED", "CONFIRMING", "REQUIRES_ACTION", "PROCESSING"] as const) {
			const attempt = { ...attemptIn(state), isCancelWanted: true };
			expect(nextStep(attempt, two, now)).toBe("CANCEL");
			const late = { kind: "ANSWER", answer: answered("SUCCEEDED") } as const;
			expect(applyOutcome(attempt, "CANCEL", late, two, now).state).toBe("SUCCEEDED");
		}
	});
});

/** A provider that is no code of ours: it charges, drops keys after a day, and loses answers. */
class Model {
	readonly payments = new Map<string, { ref: string; state: "UNCONFIRMED" | "SUCCEEDED"; charges: number }>();
	readonly #refs = new Map<string, string[]>();
	readonly #answers = new Map<string, { readonly at: number; readonly is500: boolean; readonly ref: string }>();
	constructor(readonly random: () => number) {}

	/** Carries out a call once for each key. */
	call(key: string | undefined, at: number, run: () => string): { readonly is500: boolean; readonly ref: string } {
		const known = key === undefined ? undefined : this.#answers.get(key);
		if (known && at - known.at < 24 * 3_600_000) return known;
		// An error may come before or after the operation.
		const fault = this.random();
		const ref = fault < 0.05 ? "" : run();
		const answer = { at, is500: fault < 0.1, ref };
		if (key !== undefined) this.#answers.set(key, answer);
		return answer;
	}

	create(ours: string, charges: boolean): string {
		const ref = `${ours}/${this.payments.size}`;
		this.#refs.set(ours, [...this.refsOf(ours), ref]);
		this.payments.set(ref, { ref, state: charges ? "SUCCEEDED" : "UNCONFIRMED", charges: charges ? 1 : 0 });
		return ref;
	}

	confirm(ref: string): string {
		const payment = this.payments.get(ref);
		if (payment?.state === "UNCONFIRMED") Object.assign(payment, { state: "SUCCEEDED", charges: 1 });
		return ref;
	}

	readonly refsOf = (ours: string): readonly string[] => this.#refs.get(ours) ?? [];

	readonly chargesOf = (ours: string): number =>
		this.refsOf(ours).reduce((sum, ref) => sum + (this.payments.get(ref)?.charges ?? 0), 0);
}

function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

type Can = typeof two;

/** Runs one attempt to its end. At random the process dies before a call, after it, or the answer is lost. */
function collect(model: Model, ours: string, can: Can, keyed: boolean): AttemptResult {
	let stored = attemptIn("PLANNED");
	for (let turn = 0; turn < 400 && !isFinal(stored.state); turn += 1) {
		const at = (now + turn * 1_800_000) as Instant;
		const step = nextStep(stored, can, at);
		if (step === null) break;
		if (step === "CREATE" || step === "CONFIRM") stored = beforeCall(stored, step, can, at);
		if (model.random() < 0.15) continue;
		const outcome = callModel(model, ours, step, stored, can, { at, keyed });
		// The answer is lost, or the process dies before the writer has stored it.
		if (model.random() < 0.3) continue;
		stored = applyOutcome(stored, step, outcome, can, at);
	}
	return stored;
}

function callModel(
	model: Model,
	ours: string,
	step: "CREATE" | "CONFIRM" | "CANCEL" | "LOOK",
	attempt: AttemptResult,
	can: Can,
	{ at, keyed }: { readonly at: number; readonly keyed: boolean },
): Outcome {
	const key = keyed ? keyOf(ours, step, attempt) : undefined;
	const { ref } = attempt;
	const stateOf = (found: string): Outcome => {
		const payment = model.payments.get(found);
		return payment ? { kind: "ANSWER", answer: answered(payment.state, found) } : { kind: "NOT_FOUND" };
	};
	if (step === "LOOK") {
		const found = ref ?? model.refsOf(ours)[0];
		return found === undefined ? { kind: "NOT_FOUND" } : stateOf(found);
	}
	const answer = model.call(key, at, () =>
		step === "CREATE" ? model.create(ours, !can.twoSteps) : model.confirm(ref ?? ""),
	);
	return answer.is500 ? { kind: "LATER" } : stateOf(answer.ref);
}

describe.each([
	["two steps", two],
	["one step", one],
] as const)("2,000 attempts at a provider with %s, with kills, lost answers and errors", (_, can) => {
	test("charge at most once each, and agree with the provider", () => {
		const model = new Model(randomOf(7));
		for (let n = 0; n < 2000; n += 1) {
			const ours = `attempt-${n}`;
			const end = collect(model, ours, can, true);
			const charges = model.chargesOf(ours);
			// A provider with one step may keep an error under the key; then nobody can tell, and nothing is charged again.
			const expected = can.twoSteps || charges > 0 ? ["SUCCEEDED", 1] : ["UNKNOWN", 0];
			expect([ours, end.state, charges]).toEqual([ours, ...expected]);
		}
	});
});

test("control: one call without a key charges some attempts twice", () => {
	const model = new Model(randomOf(7));
	const twice = Array.from({ length: 2000 }, (_, n) => `attempt-${n}`).filter((ours) => {
		collect(model, ours, one, false);
		return model.chargesOf(ours) > 1;
	});
	expect(twice.length).toBeGreaterThan(100);
});
