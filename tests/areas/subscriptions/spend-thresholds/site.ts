import { SpendThresholds } from "../../../../src/areas/subscriptions/spend-thresholds/follow";
import { openLog } from "../../../../src/http/log";
import { till } from "../billing";

export const usd = (amount: number) => [{ currency: "usd", amount }];

/** A price list whose job a test starts by hand: `noticed` lets it follow the usage that is counted. */
export async function site(start = "2026-04-01T00:00:00Z", clock: "test" | "wall" = "test") {
	const ours = await till(start, clock);
	const newJob = () => new SpendThresholds({ ...ours.thread, log: openLog("silent") });
	let job = newJob();
	const noticed = () => job.run();
	return {
		...ours,
		noticed,
		/** As after a crash: the job knows only its tables. */
		restart: (): void => {
			job = newJob();
		},
		advance: async (to: Parameters<typeof ours.advance>[0]) => {
			await noticed();
			return ours.advance(to);
		},
		/** The reason of the last invoice. */
		reason: async (id: string): Promise<string> =>
			(await ours.insist("GET", `/subscriptions/${id}`)).latestInvoice.billingReason,
	};
}
