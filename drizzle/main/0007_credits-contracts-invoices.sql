DROP TRIGGER IF EXISTS subscriptions_alerted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS subscriptions_alerted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS promotional_entitlements_alerted_insert;
--> statement-breakpoint
DROP TRIGGER IF EXISTS promotional_entitlements_alerted_update;
--> statement-breakpoint
DROP TRIGGER IF EXISTS credit_wallets_alerted_update;
--> statement-breakpoint
CREATE TABLE `credit_auto_recharges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`is_enabled` integer NOT NULL,
	`threshold_type` text NOT NULL,
	`threshold_value` text NOT NULL,
	`threshold_credits` text DEFAULT '0' NOT NULL,
	`target_balance` text NOT NULL,
	`max_spend_limit` text,
	`grant_expiration_period` text NOT NULL,
	`unit_price` text,
	`unit_currency` text,
	`spent_month` integer,
	`spent` text DEFAULT '0' NOT NULL,
	`pending_grant_id` text,
	`next_due_at` integer,
	`problem` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_auto_recharges_due` ON `credit_auto_recharges` (`environment_id`,`next_due_at`) WHERE next_due_at is not null;
--> statement-breakpoint
CREATE TABLE `credit_consumptions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`amount` text NOT NULL,
	`dimensions` text,
	`sent_at` integer,
	`at` integer NOT NULL,
	`is_settled` integer NOT NULL,
	`usage_after` text,
	`limit_after` text,
	`period_end_after` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_consumptions_waiting` ON `credit_consumptions` (`id`) WHERE is_settled = 0;
--> statement-breakpoint
CREATE TABLE `credit_entries` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`environment_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`grant_id` text NOT NULL,
	`event_type` text NOT NULL,
	`amount` text NOT NULL,
	`from_account` text,
	`to_account` text,
	`feature_id` text,
	`event_id` text,
	`dimensions` text,
	`events` integer,
	`at` integer NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`grant_id`) REFERENCES `credit_grants`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_entries_customer` ON `credit_entries` (`customer_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `credit_entries_wallet` ON `credit_entries` (`wallet_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `credit_entries_rare` ON `credit_entries` (`customer_id`,`event_type`,`sequence`) WHERE event_type <> 'CREDITS_CONSUMED';
--> statement-breakpoint
CREATE INDEX `credit_entries_dimensions` ON `credit_entries` (`wallet_id`,`at`) WHERE dimensions is not null;
--> statement-breakpoint
CREATE TABLE `credit_grants` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`display_name` text NOT NULL,
	`comment` text,
	`grant_type` text NOT NULL,
	`source_type` text,
	`source_id` text,
	`status` text NOT NULL,
	`amount` text NOT NULL,
	`consumed` text NOT NULL,
	`priority` integer NOT NULL,
	`effective_at` integer NOT NULL,
	`expire_at` integer,
	`next_due_at` integer,
	`active_at` integer,
	`voided_at` integer,
	`is_open` integer NOT NULL,
	`expiry_rank` integer NOT NULL,
	`is_paid` integer NOT NULL,
	`cost_amount` text NOT NULL,
	`cost_currency` text NOT NULL,
	`payment_collection` text NOT NULL,
	`invoice_id` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`wallet_id`) REFERENCES `credit_wallets`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_grants_burn` ON `credit_grants` (`wallet_id`,`priority`,`expiry_rank`,`is_paid`,`effective_at`,`created_at`,`id`) WHERE is_open = 1;
--> statement-breakpoint
CREATE INDEX `credit_grants_due` ON `credit_grants` (`environment_id`,`next_due_at`) WHERE next_due_at is not null;
--> statement-breakpoint
CREATE INDEX `credit_grants_wallet_due` ON `credit_grants` (`wallet_id`,`next_due_at`) WHERE next_due_at is not null;
--> statement-breakpoint
CREATE INDEX `credit_grants_customer` ON `credit_grants` (`customer_id`,`resource_ref`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_grants_wallet` ON `credit_grants` (`wallet_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_grants_created` ON `credit_grants` (`environment_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_grants_recurring` ON `credit_grants` (`wallet_id`,`expire_at`) WHERE status = 'ACTIVE' and grant_type = 'RECURRING' and expire_at is not null;
--> statement-breakpoint
CREATE INDEX `credit_grants_source` ON `credit_grants` (`source_id`,`id`) WHERE source_id is not null;
--> statement-breakpoint
CREATE INDEX `credit_grants_invoice` ON `credit_grants` (`invoice_id`) WHERE invoice_id is not null;
--> statement-breakpoint
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
CREATE TABLE `credit_usage` (
	`wallet_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`span` text NOT NULL,
	`at` integer NOT NULL,
	`amount` text NOT NULL,
	`events` integer NOT NULL,
	PRIMARY KEY(`wallet_id`, `span`, `at`, `feature_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_wallets` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`granted` text DEFAULT '0' NOT NULL,
	`overdraft` text DEFAULT '0' NOT NULL,
	`balance` text DEFAULT '0' NOT NULL,
	`consumed` text DEFAULT '0' NOT NULL,
	`expired` text DEFAULT '0' NOT NULL,
	`voided` text DEFAULT '0' NOT NULL,
	`active_amount` text DEFAULT '0' NOT NULL,
	`active_consumed` text DEFAULT '0' NOT NULL,
	`waiting` text DEFAULT '0' NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`overdraft_grant_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credit_wallets_resource` ON `credit_wallets` (`customer_id`,`resource_ref`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_page` ON `credit_wallets` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_customer` ON `credit_wallets` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_currency` ON `credit_wallets` (`currency_id`);
--> statement-breakpoint
CREATE TABLE `invoice_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance_part` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`note` text,
	`paid_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `invoice_payments_invoice` ON `invoice_payments` (`environment_id`,`invoice_id`,`id`);
--> statement-breakpoint
CREATE TABLE `legal_entity_logos` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`content_type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`bytes` blob NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `number_prefixes` (
	`environment_id` text NOT NULL,
	`stem` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`environment_id`, `stem`),
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `number_sequences` (
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`kind` text NOT NULL,
	`year` integer NOT NULL,
	`last` integer NOT NULL,
	`last_issued_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `legal_entity_id`, `kind`, `year`),
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contract_amendments` (
	`contract_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`items` text NOT NULL,
	`note` text,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`includes_current_invoice` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contract_billed_cycles` (
	`item_id` text NOT NULL,
	`cycle_start` integer NOT NULL,
	`cycle_end` integer NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`invoice_id` text,
	`billed` text NOT NULL,
	`quantity` text,
	`events` integer,
	`terms` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `cycle_start`),
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contract_billed_cycles_contract` ON `contract_billed_cycles` (`contract_id`,`cycle_start`);
--> statement-breakpoint
CREATE INDEX `contract_billed_cycles_invoice` ON `contract_billed_cycles` (`invoice_id`);
--> statement-breakpoint
CREATE TABLE `usage_alert_changes` (
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`resource_id` text NOT NULL,
	PRIMARY KEY(`customer_id`, `resource_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_alert_changes` (
	`wallet_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_priced_units` (
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`period_start` integer NOT NULL,
	`units` text NOT NULL,
	PRIMARY KEY(`customer_id`, `feature_id`, `resource_ref`, `period_start`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_report_draws` (
	`report_id` text PRIMARY KEY NOT NULL,
	`wallet_id` text NOT NULL,
	`consumed` text NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `credit_event_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`taken_to` integer NOT NULL,
	`step_to` integer NOT NULL,
	`customer_to` integer NOT NULL,
	`canceled_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_event_draws` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`wallet_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`hour` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`pricing_id` text NOT NULL,
	`period_start` integer,
	`events` integer NOT NULL,
	`units` text,
	`amount` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_event_draws_of` ON `credit_event_draws` (`customer_id`,`hour`,`up_to`);
--> statement-breakpoint
CREATE TABLE `credit_event_pricings` (
	`id` text PRIMARY KEY NOT NULL,
	`pricing` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_events_left` (
	`id` text PRIMARY KEY NOT NULL,
	`customer` integer NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`attempts` integer NOT NULL,
	`retry_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `credit_events_left_due` ON `credit_events_left` (`retry_at`);
--> statement-breakpoint
CREATE TABLE `subscription_credits` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`source_type` text NOT NULL,
	`addon_ref` text NOT NULL,
	`cycle` text NOT NULL,
	`period_start` integer NOT NULL,
	`granted` text NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE `__new_reached_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`currency_id` text DEFAULT '' NOT NULL,
	`resource_ref` text NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`usage` text NOT NULL,
	`usage_limit` text,
	`period_start` integer NOT NULL,
	`period_end` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `__new_reached_alerts`("id", "environment_id", "alert_id", "customer_id", "feature_id", "currency_id", "resource_ref", "type", "threshold", "usage", "usage_limit", "period_start", "period_end", "created_at", "updated_at") SELECT "id", "environment_id", "alert_id", "customer_id", "feature_id", '', "resource_ref", "type", "threshold", "usage", "usage_limit", "period_start", "period_end", "created_at", "updated_at" FROM `reached_alerts`;
--> statement-breakpoint
DROP TABLE `reached_alerts`;
--> statement-breakpoint
ALTER TABLE `__new_reached_alerts` RENAME TO `reached_alerts`;
--> statement-breakpoint
PRAGMA foreign_keys=ON;
--> statement-breakpoint
CREATE INDEX `reached_alerts_of_currency` ON `reached_alerts` (`currency_id`,`id`) WHERE currency_id <> '';
--> statement-breakpoint
CREATE INDEX `reached_alerts_of_wallet` ON `reached_alerts` (`customer_id`,`currency_id`,`resource_ref`,`period_start`) WHERE currency_id <> '';
--> statement-breakpoint
CREATE INDEX `reached_alerts_page` ON `reached_alerts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `reached_alerts_of_customer` ON `reached_alerts` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `reached_alerts_of_feature` ON `reached_alerts` (`feature_id`,`id`);
--> statement-breakpoint
CREATE TABLE `__new_usage_alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`currency_id` text DEFAULT '' NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_usage_alerts`("id", "environment_id", "customer_id", "feature_id", "currency_id", "type", "threshold", "created_at", "updated_at") SELECT "id", "environment_id", "customer_id", "feature_id", '', "type", "threshold", "created_at", "updated_at" FROM `usage_alerts`;
--> statement-breakpoint
DROP TABLE `usage_alerts`;
--> statement-breakpoint
ALTER TABLE `__new_usage_alerts` RENAME TO `usage_alerts`;
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_currency` ON `usage_alerts` (`currency_id`,`id`) WHERE currency_id <> '';
--> statement-breakpoint
CREATE INDEX `usage_alerts_page` ON `usage_alerts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_customer` ON `usage_alerts` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_feature` ON `usage_alerts` (`feature_id`,`id`);
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `prorate_cut_cycles` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `cycles_from` integer;
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `billed_until` integer;
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `billed` text;
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `usage_events` integer;
--> statement-breakpoint
ALTER TABLE `contract_items` ADD `usage_meter_id` text;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `amending_since` integer;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `note` text;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `published_at` integer;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `next_due_at` integer;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `problem` text;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `archived_at` integer;
--> statement-breakpoint
ALTER TABLE `contracts` ADD `renewal` text;
--> statement-breakpoint
CREATE INDEX `contracts_due` ON `contracts` (`environment_id`,`next_due_at`);
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `address` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `tax_ids` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `registration` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `email` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `payment_text` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `footer` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `language` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `logo_id` text;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `net_terms` integer;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `invoice_prefix` text DEFAULT 'INV-' NOT NULL;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `credit_note_prefix` text DEFAULT 'CN-' NOT NULL;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `number_year` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `number_padding` integer DEFAULT 6 NOT NULL;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `archived_at` integer;
--> statement-breakpoint
ALTER TABLE `legal_entities` ADD `updated_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `payment_accounts` ADD `iban` text;
--> statement-breakpoint
ALTER TABLE `payment_accounts` ADD `bic` text;
--> statement-breakpoint
ALTER TABLE `payment_accounts` ADD `bank_name` text;
--> statement-breakpoint
ALTER TABLE `customers` ADD `legal_entity_id` text;
--> statement-breakpoint
ALTER TABLE `customers` ADD `tax_exemption` text;
--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `invoice_line` integer;
--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `unit` text;
--> statement-breakpoint
ALTER TABLE `credit_note_lines` ADD `basis` text;
--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `is_by_hand` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `voided_at` integer;
--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `legal_entity_id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `number_year` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `number_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `credit_notes_contract` ON `credit_notes` (`environment_id`,`contract_id`,`id`);
--> statement-breakpoint
ALTER TABLE `customer_balance_entries` ADD `payment_id` text REFERENCES invoice_payments(id);
--> statement-breakpoint
ALTER TABLE `customer_balance_entries` ADD `reason` text;
--> statement-breakpoint
CREATE INDEX `customer_balance_entries_customer` ON `customer_balance_entries` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `customer_balance_entries_currency` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`id`);
--> statement-breakpoint
CREATE INDEX `customer_balance_entries_invoice` ON `customer_balance_entries` (`invoice_id`) WHERE invoice_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `customer_balance_entries_credit_note` ON `customer_balance_entries` (`credit_note_id`) WHERE credit_note_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `customer_balance_entries_payment` ON `customer_balance_entries` (`payment_id`) WHERE payment_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `unit` text;
--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `basis` text;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `legal_entity_id` text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `number_year` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `number_count` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `invoices` ADD `amount_paid` text DEFAULT '0' NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoices_contract_ref` ON `invoices` (`environment_id`,`contract_ref_id`,`issued_at`,`id`) WHERE contract_ref_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoices_state_issued` ON `invoices` (`environment_id`,`state`,`issued_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_state_due` ON `invoices` (`environment_id`,`state`,`due_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_number` ON `invoices` (`environment_id`,`number`);
--> statement-breakpoint
ALTER TABLE `package_versions` ADD `published_for` text;
--> statement-breakpoint
ALTER TABLE `packages` ADD `legal_entity_id` text;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `credits_due_at` integer;
--> statement-breakpoint
UPDATE subscriptions SET credits_due_at = (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id)
WHERE status IN ('ACTIVE', 'IN_TRIAL') AND (
id IN (SELECT subscription_id FROM subscription_entitlements WHERE currency_id IS NOT NULL)
OR id IN (SELECT subscription_id FROM subscription_quantities WHERE currency_id IS NOT NULL)
OR id IN (SELECT subscription_id FROM subscription_addons JOIN package_entitlements USING (version_id) WHERE currency_id IS NOT NULL)
OR version_id IN (SELECT version_id FROM package_entitlements WHERE currency_id IS NOT NULL)
OR version_id IN (SELECT id FROM package_versions WHERE parent_id IS NOT NULL));
--> statement-breakpoint
UPDATE subscriptions SET next_due_at = min(coalesce(next_due_at, credits_due_at), credits_due_at) WHERE credits_due_at IS NOT NULL AND problem IS NULL;
--> statement-breakpoint
CREATE INDEX `usage_reservations_page` ON `usage_reservations` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_reservations_held_of_customer` ON `usage_reservations` (`customer_id`,`expires_at`) WHERE state = 'HELD';
--> statement-breakpoint
-- Each environment has a default legal entity from now on. Its invoices were that one's, and its numbers go on.
INSERT INTO legal_entities (id, environment_id, name, is_default, created_at, updated_at)
SELECT
	lower(printf('%s-%s-7%s-8%s-%s', substr(time, 1, 8), substr(time, 9, 4), substr(random, 1, 3), substr(random, 4, 3), substr(random, 7, 12))),
	environment_id, name, 1, at, at
FROM (
	SELECT environments.id AS environment_id, accounts.name AS name, unixepoch() * 1000 AS at,
		printf('%012x', unixepoch() * 1000) AS time, hex(randomblob(9)) AS random
	FROM environments JOIN accounts ON accounts.id = environments.account_id
	WHERE environments.id NOT IN (SELECT environment_id FROM legal_entities WHERE is_default = 1)
);
--> statement-breakpoint
INSERT INTO payment_accounts (id, environment_id, legal_entity_id, name, is_default, created_at)
SELECT substr(id, 1, 24) || lower(hex(randomblob(6))), environment_id, id, 'Default payment account', 1, created_at
FROM legal_entities WHERE id NOT IN (SELECT legal_entity_id FROM payment_accounts);
--> statement-breakpoint
UPDATE legal_entities SET updated_at = created_at;
--> statement-breakpoint
INSERT INTO number_prefixes (environment_id, stem, legal_entity_id, kind)
SELECT environment_id, 'INV', id, 'INVOICE' FROM legal_entities UNION ALL SELECT environment_id, 'CN', id, 'CREDIT_NOTE' FROM legal_entities;
--> statement-breakpoint
INSERT INTO number_sequences (environment_id, legal_entity_id, kind, year, last, last_issued_at)
SELECT environment_id, legal_entities.id, 'INVOICE', 0, last, coalesce((SELECT max(issued_at) FROM invoices WHERE invoices.environment_id = invoice_sequences.environment_id), 0)
FROM invoice_sequences JOIN legal_entities USING (environment_id) WHERE is_default = 1;
--> statement-breakpoint
INSERT INTO number_sequences (environment_id, legal_entity_id, kind, year, last, last_issued_at)
SELECT environment_id, legal_entities.id, 'CREDIT_NOTE', 0, last, coalesce((SELECT max(issued_at) FROM credit_notes WHERE credit_notes.environment_id = credit_note_sequences.environment_id), 0)
FROM credit_note_sequences JOIN legal_entities USING (environment_id) WHERE is_default = 1;
--> statement-breakpoint
UPDATE invoices SET number_count = sequence, legal_entity_id = (SELECT id FROM legal_entities WHERE legal_entities.environment_id = invoices.environment_id AND is_default = 1);
--> statement-breakpoint
UPDATE credit_notes SET number_count = sequence, legal_entity_id = (SELECT id FROM legal_entities WHERE legal_entities.environment_id = credit_notes.environment_id AND is_default = 1);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_auto_recharges_of` ON `credit_auto_recharges` (`customer_id`,`currency_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_consumptions_key` ON `credit_consumptions` (`customer_id`,`idempotency_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_entries_id` ON `credit_entries` (`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_wallets_of` ON `credit_wallets` (`customer_id`,`currency_id`,`resource_ref`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoice_payments_reference` ON `invoice_payments` (`environment_id`,`invoice_id`,`kind`,`reference`) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_credits_of` ON `subscription_credits` (`subscription_id`,`currency_id`,`source_type`,`addon_ref`,`cycle`);
--> statement-breakpoint
CREATE UNIQUE INDEX `reached_alerts_once` ON `reached_alerts` (`alert_id`,`customer_id`,`resource_ref`,`period_start`,`type`,`threshold`);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_alerts_once` ON `usage_alerts` (`environment_id`,`customer_id`,`feature_id`,`currency_id`,`type`,`threshold`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_counted` ON `credit_notes` (`environment_id`,`legal_entity_id`,`number_year`,`number_count`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_counted` ON `invoices` (`environment_id`,`legal_entity_id`,`number_year`,`number_count`);
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_alerted_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS subscriptions_alerted_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_alerted_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS promotional_entitlements_alerted_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS credit_wallets_alerted_update AFTER UPDATE OF consumed, waiting, active_amount ON credit_wallets
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE currency_id = NEW.currency_id AND currency_id <> '') BEGIN
	INSERT INTO credit_alert_changes VALUES (NEW.id, NEW.environment_id) ON CONFLICT DO NOTHING;
END;
