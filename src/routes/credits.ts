import type { AnyElysia } from "elysia";
import { creditBalanceRoutes } from "../areas/credits/balances/routes";
import { creditConsumptionRoutes } from "../areas/credits/consumption/routes";
import { hasBalances } from "../areas/credits/grants/operations";
import { creditGrantRoutes } from "../areas/credits/grants/routes";
import { creditLedgerRoutes } from "../areas/credits/ledger/routes";
import { autoRechargeRoutes } from "../areas/credits/recharge/routes";
import { creditRevenueRoutes } from "../areas/credits/revenue/routes";
import { creditUsageRoutes } from "../areas/credits/usage/routes";
import { currencyRoutes } from "../areas/currencies/routes";
import { packagesUsing } from "../areas/packages/operations.uses";
import { creditPriceOf } from "../areas/subscriptions/billing/credits/operations.price";
import type { Services } from "../server/context";

/** Composes the routes of credits and custom currencies. */
export const routes = (services: Services): AnyElysia[] => [
	currencyRoutes(services, { usersOf: packagesUsing, hasBalances }),
	creditGrantRoutes(services),
	autoRechargeRoutes(services, creditPriceOf),
	creditConsumptionRoutes(services),
	creditLedgerRoutes(services),
	creditUsageRoutes(services),
	creditBalanceRoutes(services),
	creditRevenueRoutes(services),
];
