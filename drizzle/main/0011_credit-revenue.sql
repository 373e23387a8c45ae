CREATE TABLE `credit_revenue` (
	`environment_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`grant_type` text NOT NULL,
	`cost_currency` text NOT NULL,
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`granted` text NOT NULL,
	`recognised` text NOT NULL,
	`breakage` text NOT NULL,
	`voided` text NOT NULL,
	PRIMARY KEY(`environment_id`, `span`, `at`, `currency_id`, `grant_type`, `cost_currency`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `credit_grants` ADD `active_at` integer;