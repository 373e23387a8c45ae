import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";

export const reservationStates = ["HELD", "COMMITTED", "RELEASED", "EXPIRED"] as const;
export type ReservationState = (typeof reservationStates)[number];
/** The stored states. EXPIRED is HELD after `expiresAt`. */
export type StoredState = Exclude<ReservationState, "EXPIRED">;
export type ReservationAction = "commit" | "release";

/**
 * The next state for each action, or why it is refused. A repeated action changes nothing. An expired reservation no longer reserves
 * usage, so its commit is decided again; usage is not lost because it took too long.
 */
export const reservationTransitions: Readonly<
	Record<
		ReservationState,
		Readonly<Record<ReservationAction, "COMMITTED" | "RELEASED" | "EXPIRED" | { readonly because: string }>>
	>
> = {
	HELD: { commit: "COMMITTED", release: "RELEASED" },
	COMMITTED: {
		commit: "COMMITTED",
		release: { because: "is committed; report negative usage to reverse it" },
	},
	RELEASED: {
		commit: { because: "was released; report or consume the usage instead" },
		release: "RELEASED",
	},
	EXPIRED: { commit: "COMMITTED", release: "EXPIRED" },
};

export const stateAt = (
	{ state, expiresAt }: { readonly state: StoredState; readonly expiresAt: Instant },
	now: Instant,
): ReservationState => (state === "HELD" && expiresAt <= now ? "EXPIRED" : state);

/** Returns the next state. InvalidArgumentError where the action is refused. */
export function nextState(id: string, state: ReservationState, action: ReservationAction) {
	const next = reservationTransitions[state][action];
	if (typeof next === "string") return next;
	throw fail("InvalidArgumentError", `Reservation '${id}' ${next.because}.`);
}
