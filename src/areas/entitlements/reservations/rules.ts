import type { Instant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";

export const reservationStates = ["HELD", "COMMITTED", "RELEASED", "EXPIRED"] as const;
export type ReservationState = (typeof reservationStates)[number];
/** What is written down; EXPIRED is HELD beyond its time. */
export type StoredState = Exclude<ReservationState, "EXPIRED">;
export type ReservationAction = "commit" | "release";

/**
 * What each action leads to, or why it is refused. Doing twice what is done changes nothing. What has expired holds nothing any
 * more, so that a commit of it is decided anew: what was used is not lost because it took longer than was thought.
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
		release: { because: "is committed: report a negative usage to take it back" },
	},
	RELEASED: {
		commit: { because: "was released: report the usage, or consume it" },
		release: "RELEASED",
	},
	EXPIRED: { commit: "COMMITTED", release: "EXPIRED" },
};

export const stateAt = (
	{ state, expiresAt }: { readonly state: StoredState; readonly expiresAt: Instant },
	now: Instant,
): ReservationState => (state === "HELD" && expiresAt <= now ? "EXPIRED" : state);

/** The state that follows; InvalidArgumentError where the table refuses. */
export function nextState(id: string, state: ReservationState, action: ReservationAction) {
	const next = reservationTransitions[state][action];
	if (typeof next === "string") return next;
	throw fail("InvalidArgumentError", `Reservation '${id}' ${next.because}.`);
}
