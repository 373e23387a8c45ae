DROP INDEX `reached_alerts_of_currency`;--> statement-breakpoint
CREATE INDEX `reached_alerts_of_wallet` ON `reached_alerts` (`customer_id`,`currency_id`,`resource_ref`,`period_start`) WHERE currency_id <> '';--> statement-breakpoint
CREATE INDEX `reached_alerts_of_currency` ON `reached_alerts` (`currency_id`,`id`) WHERE currency_id <> '';