import { createHmac } from "node:crypto";
import type { FaultRates } from "../faults";
import type { Random } from "../random";
import type { StoredEvent } from "./account";

export interface Endpoint {
	readonly url: string;
	readonly secret: string;
}

/** The signature header of the provider: a time in seconds, and an HMAC of the time and the raw bytes. */
export function signatureOf(payload: string, secret: string, atSeconds: number): string {
	const mac = createHmac("sha256", secret).update(`${atSeconds}.${payload}`).digest("hex");
	return `t=${atSeconds},v1=${mac}`;
}

const lateMs = 2_000;
const retriesMs = [500, 2_000, 8_000, 30_000];

export interface Delivery {
	send(event: StoredEvent): void;
	/** Resolves when no delivery is under way; retries included. */
	settled(): Promise<void>;
	stop(): void;
}

/**
 * Sends each event to all endpoints. By the rates of faults some are lost, sent twice, late (so that their order changes), or followed by a
 * forgery. Signatures have the machine's time, as receivers compare it with theirs.
 */
export function deliveryTo(endpoints: () => readonly Endpoint[], random: Random, rates: () => FaultRates): Delivery {
	const running = new Set<Promise<void>>();
	const stopped = new AbortController();
	const post = async (url: string, payload: string, secret: string): Promise<boolean> => {
		try {
			const answer = await fetch(url, {
				method: "POST",
				body: payload,
				headers: {
					"content-type": "application/json; charset=utf-8",
					"stripe-signature": signatureOf(payload, secret, Math.floor(Date.now() / 1000)),
				},
				signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(20_000)]),
			});
			await answer.arrayBuffer();
			return answer.ok;
		} catch {
			return false;
		}
	};
	const deliver = async (endpoint: Endpoint, payload: string, afterMs: number): Promise<void> => {
		for (const waitMs of [afterMs, ...retriesMs]) {
			if (waitMs > 0) await Bun.sleep(waitMs);
			if (stopped.signal.aborted || (await post(endpoint.url, payload, endpoint.secret))) return;
		}
	};
	const track = (work: Promise<void>): void => {
		running.add(work);
		void work.finally(() => running.delete(work));
	};
	return {
		send: (event) => {
			const payload = JSON.stringify(event, null, 2);
			for (const endpoint of endpoints()) {
				const { eventLost, eventTwice, eventLate, eventForged } = rates();
				if (random.chance(eventLost)) continue;
				const delay = () => (random.chance(eventLate) ? random.below(lateMs) : 0);
				track(deliver(endpoint, payload, delay()));
				if (random.chance(eventTwice)) track(deliver(endpoint, payload, delay()));
				if (random.chance(eventForged)) {
					const forged = payload.replace(event.id, `${event.id}f`);
					track(post(endpoint.url, forged, `whsec_${random.letters(32)}`).then(() => {}));
				}
			}
		},
		settled: async () => {
			while (running.size > 0) await Promise.all(running);
		},
		stop: () => stopped.abort(),
	};
}
