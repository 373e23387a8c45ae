import type { ClockView } from "../../test-clocks/schema";
import { may } from "../session";
import { useOne } from "./list";

/** The environment's time: that of its test clock where it has one. */
export const useClock = () => useOne<ClockView>(may("ENVIRONMENT:READ") ? "/environments/current/clock" : undefined);

/** By which ages are told: what is sold, billed and counted goes by the environment's clock. Milliseconds. */
export function useNow(): number {
	const { data: clock } = useClock();
	return clock?.isFrozen ? Date.parse(clock.now) : Date.now();
}
