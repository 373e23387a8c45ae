import type { Random } from "./random";

/** The share of requests and events that a stand-in disturbs, from 0 to 1. The request's seed decides which. */
export interface FaultRates {
	/** A 500 without the operation. */
	readonly errorBefore: number;
	/** The operation runs, and the answer is a 500. */
	readonly errorAfter: number;
	/** The connection ends without the operation. */
	readonly cutBefore: number;
	/** The operation runs, and the connection ends in the middle of the answer. */
	readonly cutAfter: number;
	/** A 429. */
	readonly busy: number;
	readonly slow: number;
	readonly eventLost: number;
	readonly eventTwice: number;
	readonly eventLate: number;
	/** Another delivery of the event, signed with a foreign secret. */
	readonly eventForged: number;
}

export type Fault = "errorBefore" | "errorAfter" | "cutBefore" | "cutAfter" | "busy" | "slow";

export const noFaults: FaultRates = {
	errorBefore: 0,
	errorAfter: 0,
	cutBefore: 0,
	cutAfter: 0,
	busy: 0,
	slow: 0,
	eventLost: 0,
	eventTwice: 0,
	eventLate: 0,
	eventForged: 0,
};

/** A fault of the next requests whose `METHOD /path` begins with `route`. */
export interface PlannedFault {
	readonly route: string;
	readonly fault: Fault;
	/** The number of requests; 1 when left out. */
	readonly times?: number;
}

export interface Faults {
	rates: FaultRates;
	plan(planned: PlannedFault): void;
	/** The fault of a request. Planned faults come before random ones. */
	of(request: string): Fault | undefined;
}

const kinds: readonly Fault[] = ["errorBefore", "errorAfter", "cutBefore", "cutAfter", "busy", "slow"];

export function faultsOf(random: Random, rates: FaultRates): Faults {
	const planned: { route: string; fault: Fault; times: number }[] = [];
	const self: Faults = {
		rates,
		plan: ({ route, fault, times = 1 }) => void planned.push({ route, fault, times }),
		of: (request) => {
			const found = planned.find(({ route }) => request.startsWith(route));
			if (found) {
				found.times -= 1;
				if (found.times <= 0) planned.splice(planned.indexOf(found), 1);
				return found.fault;
			}
			return kinds.find((kind) => random.chance(self.rates[kind]));
		},
	};
	return self;
}

/** Half of the body, then the connection ends. */
export function cut(body: string): Response {
	const bytes = new TextEncoder().encode(body.padEnd(64));
	const half = new ReadableStream({
		async start(controller) {
			controller.enqueue(bytes.subarray(0, bytes.length >> 1));
			await Bun.sleep(5);
			controller.error(new Error("cut by the stand-in"));
		},
	});
	return new Response(half, { headers: { "content-type": "application/json", "content-length": `${bytes.length}` } });
}
