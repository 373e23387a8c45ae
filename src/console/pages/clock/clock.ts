import type { ClockView } from "../../../clocks/schema";
import { useOne } from "../../kit/list";

/** The environment's time: that of its test clock where it has one. */
export const useClock = () => useOne<ClockView>("/environments/current/clock");
