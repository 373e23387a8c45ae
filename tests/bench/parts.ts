import { measureBudgetSize } from "./budget-size";
import { measureBudgets } from "./budgets";
import { measureChecks } from "./checks";
import { measureConsume } from "./consume";
import { measureCounting } from "./counting";
import { measureCredits } from "./credits";
import { measureDebits } from "./debits";
import { measureHour } from "./hour";
import { measureIngest } from "./ingest";
import { measureLag } from "./lag";
import { measurePages } from "./pages";
import { measurePlans } from "./plans";
import { measureConsolidated } from "./pricing/consolidated";
import { measureEventCharges } from "./pricing/event-charges";
import { measureMeasures } from "./pricing/measures";
import { measureRenewals } from "./pricing/renewals";
import { measureVariants } from "./pricing/variants";
import { measurePush } from "./push";
import { measureRebuild } from "./rebuild";
import { measureRenders } from "./renders";
import type { Row } from "./row";
import { measureStart } from "./start";
import { measureStored } from "./stored";
import { measureWaits } from "./waits";
import { measureWebhooks } from "./webhooks";
import { measureWrites } from "./writes";

/** By the names under which they are asked for. */
export const parts: Readonly<Record<string, () => Promise<Row[]>>> = {
	ingest: measureIngest,
	checks: measureChecks,
	lag: measureLag,
	counting: measureCounting,
	"event-charges": measureEventCharges,
	hour: measureHour,
	variants: measureVariants,
	measures: measureMeasures,
	consolidated: measureConsolidated,
	writes: measureWrites,
	consume: measureConsume,
	budgets: measureBudgets,
	"budget-size": measureBudgetSize,
	credits: measureCredits,
	debits: measureDebits,
	waits: measureWaits,
	push: measurePush,
	rebuild: measureRebuild,
	renewals: measureRenewals,
	renders: measureRenders,
	webhooks: measureWebhooks,
	plans: measurePlans,
	pages: measurePages,
	stored: measureStored,
	start: measureStart,
};
