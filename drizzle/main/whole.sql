-- Written by `bun run migrations`.
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`display_name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text,
	`expires_at` integer,
	`created_at` integer NOT NULL, `description` text, `allowed_addresses` text DEFAULT '[]' NOT NULL, `rotated_at` integer,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `environments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`unknown_customers` text DEFAULT 'refuse' NOT NULL,
	`client_hardening` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL, `billing_anchor` text DEFAULT 'SUBSCRIPTION_START' NOT NULL, `clock_at` integer, `allowed_origins` text DEFAULT '[]' NOT NULL, `default_currency` text DEFAULT 'usd' NOT NULL, `archived_at` integer, `governance` integer DEFAULT true NOT NULL, `proration_mode` text DEFAULT 'BY_TIME' NOT NULL, `time_zone` text DEFAULT 'UTC' NOT NULL, `time_zone_source` text DEFAULT 'ENVIRONMENT' NOT NULL, `taxes` text, `tax_rounding` text, `discount_stacking` text, `books_closed_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL, `address` text, `user_agent` text, `last_seen_at` integer DEFAULT 0 NOT NULL, `provider_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contract_items` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`external_id` text,
	`name` text NOT NULL,
	`item_name` text,
	`pricing_model_id` text NOT NULL,
	`rows` text NOT NULL,
	`billing_cycle_unit` text NOT NULL,
	`billing_cycle_count` integer NOT NULL,
	`payment_time` text NOT NULL,
	`discount` text,
	`tax` text,
	`net_terms` integer,
	`separate_invoice` integer NOT NULL,
	`currency` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`payment_account_id` text NOT NULL,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `prorate_cut_cycles` integer DEFAULT false NOT NULL, `cycles_from` integer, `taken_out_at` integer,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_account_id`) REFERENCES `payment_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contract_subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `contracts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`name` text,
	`po_number` text,
	`billing_state` text,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `amending_since` integer, `note` text, `published_at` integer, `next_due_at` integer, `problem` text, `archived_at` integer, `renewal` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `legal_entities` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`name` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL
, `address` text, `tax_ids` text DEFAULT '[]' NOT NULL, `registration` text, `email` text, `payment_text` text, `footer` text, `language` text, `logo_id` text, `net_terms` integer, `invoice_prefix` text DEFAULT 'INV-' NOT NULL, `credit_note_prefix` text DEFAULT 'CN-' NOT NULL, `number_year` integer DEFAULT false NOT NULL, `number_padding` integer DEFAULT 6 NOT NULL, `archived_at` integer, `updated_at` integer DEFAULT 0 NOT NULL, `invoice_grace_period_days` integer, `tax_currency` text, `exchange_rates` text DEFAULT '[]' NOT NULL, `brand_color` text, `cash_discount` text);
--> statement-breakpoint
CREATE TABLE `payment_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`name` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL, `iban` text, `bic` text, `bank_name` text,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `coupons` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`percent_off` text,
	`amounts_off` text,
	`duration_months` integer,
	`metadata` text,
	`source` text NOT NULL,
	`billing_id` text,
	`billing_link_url` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `applies_to` text, `duration_periods` integer, `frequency` text, `free_units` text);
--> statement-breakpoint
CREATE TABLE `custom_currencies` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`symbol` text,
	`unit_singular` text,
	`unit_plural` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `customer_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`billing_id` text NOT NULL,
	`name` text,
	`email` text,
	`billing_currency` text,
	`language` text,
	`timezone` text,
	`coupon_id` text,
	`coupon_applied_at` integer,
	`default_payment_method` text,
	`integrations` text NOT NULL,
	`passthrough` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `payment_method_source` text, `imported_as_of` integer, `legal_entity_id` text, `tax_exemption` text, `tax_exemption_provision` text, `cash_discount` text, `taxes` text, `billing_anchor` text, `cycle_anchor_at` integer, `parent_customer_id` text, `bills_to` text, `invoice_grouping` text,
	FOREIGN KEY (`coupon_id`) REFERENCES `coupons`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `features` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`feature_type` text NOT NULL,
	`meter_type` text NOT NULL,
	`status` text NOT NULL,
	`feature_units` text,
	`feature_units_plural` text,
	`enum_configuration` text,
	`unit_transformation` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `billed_usage` text);
--> statement-breakpoint
CREATE TABLE `meters` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`aggregation` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_lines` (
	`invoice_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`description` text NOT NULL,
	`quantity` text,
	`unit_price` text,
	`tiers` text,
	`amount` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`period_start` integer,
	`period_end` integer,
	`product_ref_id` text,
	`feature_ref_id` text,
	`addon_ref_id` text, `charge_id` text, `unit` text, `basis` text, `is_manual` integer DEFAULT false NOT NULL, `wording` text, `taxes` text, `discounts` text, `customer_ref_id` text, `subscription_ref_id` text,
	PRIMARY KEY(`invoice_id`, `position`),
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_sequences` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`contract_id` text,
	`contract_ref_id` text,
	`number` text NOT NULL,
	`sequence` integer NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`billing_reason` text NOT NULL,
	`currency` text NOT NULL,
	`issued_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`paid_at` integer,
	`canceled_at` integer,
	`period_start` integer,
	`period_end` integer,
	`sub_total` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`total_hundredths` integer NOT NULL,
	`tax_percentage` text,
	`discount_label` text,
	`po_number` text,
	`notes` text,
	`custom_fields` text NOT NULL,
	`issuer` text NOT NULL,
	`customer` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `balance_applied` text DEFAULT '0' NOT NULL, `legal_entity_id` text DEFAULT '' NOT NULL, `number_year` integer DEFAULT 0 NOT NULL, `number_count` integer DEFAULT 0 NOT NULL, `amount_paid` text DEFAULT '0' NOT NULL, `next_due_at` integer, `stated` text, `tax_conversion` text, `missing_rate_to` text, `discount_percent` text, `lines_seal` text, `seal` text, `cash_discount` text, `collection_method` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`version_id` text NOT NULL,
	`is_overage` integer NOT NULL,
	`billing_model` text NOT NULL,
	`billing_cadence` text NOT NULL,
	`billing_period` text NOT NULL,
	`billing_country_code` text,
	`feature_id` text,
	`overage_currency_id` text,
	`top_up_currency_id` text,
	`price` text,
	`tiers_mode` text,
	`tiers` text,
	`block_size` text,
	`min_unit_quantity` integer,
	`max_unit_quantity` integer,
	`credit_amount` text,
	`credit_currency_id` text,
	`credit_cost_formula` text,
	`credit_grant_cadence` text,
	`reset_period` text,
	`reset_anchor` text,
	`created_at` integer NOT NULL, `proration_mode` text, `refunds_unused_time` integer DEFAULT true NOT NULL, `key` text, `price_terms` text, `taxes` text, `payment_time` text,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`overage_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`top_up_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `package_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`version_id` text NOT NULL,
	`type` text NOT NULL,
	`feature_id` text,
	`currency_id` text,
	`description` text,
	`display_name_override` text,
	`is_granted` integer NOT NULL,
	`is_custom` integer,
	`display_order` real,
	`hidden_from_widgets` text NOT NULL,
	`behavior` text NOT NULL,
	`has_soft_limit` integer,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`reset_period` text,
	`reset_anchor` text,
	`enum_values` text,
	`amount` text,
	`cadence` text,
	`dependency_feature_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dependency_feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `package_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`package_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`status` text NOT NULL,
	`is_latest` integer NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`billing_id` text,
	`metadata` text NOT NULL,
	`pricing_type` text,
	`overage_billing_period` text,
	`parent_id` text,
	`compatible_addon_refs` text,
	`default_trial` text,
	`dependency_refs` text,
	`max_quantity` integer,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `published_for` text, `proration_mode` text, `taxes` text, `billing_anchor` text, `phases` text, `spend_thresholds` text, `term` text, `commitments` text,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `packages` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`ref_id` text NOT NULL,
	`product_id` text NOT NULL,
	`created_at` integer NOT NULL, `legal_entity_id` text,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`metadata` text NOT NULL,
	`multiple_subscriptions` integer NOT NULL,
	`settings` text NOT NULL,
	`usage_reset` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_addons` (
	`subscription_id` text NOT NULL,
	`addon_id` text NOT NULL,
	`version_id` text NOT NULL,
	`position` integer NOT NULL,
	`quantity` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `addon_id`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`addon_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_coupons` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`coupon_id` text NOT NULL,
	`status` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`created_at` integer NOT NULL, `position` integer, `application_id` text,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`coupon_id`) REFERENCES `coupons`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`feature_id` text,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`has_soft_limit` integer,
	`reset_period` text,
	`reset_anchor` text,
	`currency_id` text,
	`amount` text,
	`cadence` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_quantities` (
	`subscription_id` text NOT NULL,
	`position` integer NOT NULL,
	`feature_id` text,
	`currency_id` text,
	`quantity` text NOT NULL,
	PRIMARY KEY(`subscription_id`, `position`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_version_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`package_id` text NOT NULL,
	`from_version_id` text NOT NULL,
	`to_version_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	`prices_from` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`from_version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`billing_id` text,
	`customer_id` text NOT NULL,
	`paying_customer_id` text,
	`resource_id` text,
	`product_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`status` text NOT NULL,
	`cancel_reason` text,
	`pricing_type` text NOT NULL,
	`billing_period` text,
	`billing_country_code` text,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`cancel_at` integer,
	`ended_at` integer,
	`trial_end_at` integer,
	`trial_end_behavior` text,
	`billing_anchor_at` integer,
	`billed_until` integer,
	`usage_anchor_at` integer NOT NULL,
	`payment_collection` text NOT NULL,
	`payment_collection_method` text,
	`minimum_spend` text,
	`budget` text,
	`tax_percentage` text,
	`invoice_days_until_due` integer,
	`billing_details` text,
	`price_overrides` text NOT NULL,
	`metadata` text NOT NULL,
	`salesforce_id` text,
	`contract_id` text,
	`contract_ref_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `usage_billed_from` integer, `usage_billed_until` integer, `usage_due_at` integer, `prorations` text, `next_due_at` integer, `next_update_at` integer, `runs_until` integer, `cancel_action` text, `payment_due_at` integer, `supersedes_id` text, `supersedes_as` text, `trial_budget` text, `cancel_prorates` integer DEFAULT false NOT NULL, `problem` text, `credits_due_at` integer, `replaces_id` text, `canceled_by_customer` integer DEFAULT false NOT NULL, `charged_from` integer, `charged_currency` text, `charged_minimum` text, `proration_mode` text, `time_zone` text, `billing_anchor` text, `next_cycle` text, `cycle_starts_at` integer, `trial_bills_usage` integer DEFAULT false NOT NULL, `taxes` text, `pause` text, `is_held` integer DEFAULT false NOT NULL, `phases` text, `phase` text, `spend_thresholds` text, `terms_changed_at` integer, `child_usage` text, `term` text, `running_term` text, `uplifts` text, `billing_currency` text, `commitments` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`paying_customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`resource_id`) REFERENCES `customer_resources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`dedupe_key` text,
	`payload` text NOT NULL,
	`total_count` integer NOT NULL,
	`done_count` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer
, `crashes` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`environment_id` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL, `caller_id` text,
	PRIMARY KEY(`environment_id`, `method`, `path`, `key`)
);
--> statement-breakpoint
CREATE TABLE `credit_note_lines` (
	`credit_note_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`description` text NOT NULL,
	`quantity` text,
	`unit_price` text,
	`tiers` text,
	`amount` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`period_start` integer,
	`period_end` integer,
	`product_ref_id` text,
	`feature_ref_id` text,
	`addon_ref_id` text, `charge_id` text, `invoice_line` integer, `unit` text, `basis` text, `wording` text, `taxes` text, `discounts` text, `customer_ref_id` text, `subscription_ref_id` text,
	PRIMARY KEY(`credit_note_id`, `position`),
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `credit_note_sequences` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`contract_id` text,
	`invoice_id` text,
	`invoice_number` text,
	`reduces_due` integer NOT NULL,
	`number` text NOT NULL,
	`sequence` integer NOT NULL,
	`reason_code` text NOT NULL,
	`currency` text NOT NULL,
	`issued_at` integer NOT NULL,
	`period_start` integer,
	`period_end` integer,
	`sub_total` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`discount_label` text,
	`issuer` text NOT NULL,
	`customer` text NOT NULL,
	`created_at` integer NOT NULL, `to_balance` text DEFAULT '0' NOT NULL, `is_by_hand` integer DEFAULT false NOT NULL, `voided_at` integer, `legal_entity_id` text DEFAULT '' NOT NULL, `number_year` integer DEFAULT 0 NOT NULL, `number_count` integer DEFAULT 0 NOT NULL, `tax_conversion` text, `missing_rate_to` text, `discount_percent` text, `lines_seal` text, `seal` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `promotional_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`has_soft_limit` integer,
	`enum_values` text,
	`is_visible` integer NOT NULL,
	`period` text NOT NULL,
	`reset_period` text,
	`reset_anchor` text,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `feature_group_ids` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `plan_simulation_costs` (
	`plan_id` text NOT NULL,
	`simulation_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	`difference` text NOT NULL,
	`weight` real NOT NULL,
	PRIMARY KEY(`plan_id`, `simulation_id`, `subscription_id`, `currency`)
);
--> statement-breakpoint
CREATE TABLE `plan_simulation_failures` (
	`plan_id` text NOT NULL,
	`simulation_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`code` text NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`plan_id`, `simulation_id`, `subscription_id`)
);
--> statement-breakpoint
CREATE TABLE `plan_simulations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`terms` text NOT NULL,
	`start_at` integer,
	`end_at` integer,
	`after_id` text NOT NULL,
	`totals` text NOT NULL,
	`failures_count` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_updates` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`execute_at` integer NOT NULL,
	`changes` text NOT NULL,
	`invoice_id` text,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `invoiced_by` text,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_unspent_minimums` (
	`subscription_id` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL, `taxes` text,
	PRIMARY KEY(`subscription_id`, `period_start`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `task_errors` (
	`task_id` text NOT NULL,
	`position` integer NOT NULL,
	`item_id` text NOT NULL,
	`error` text NOT NULL,
	PRIMARY KEY(`task_id`, `position`),
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customer_counts` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_report_series` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`is_level` integer NOT NULL,
	`total` text NOT NULL,
	`reports` integer NOT NULL,
	`last_report_id` text NOT NULL,
	`last_set_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `usage_report_totals` (
	`series_id` integer NOT NULL,
	`span` integer NOT NULL,
	`bucket` integer NOT NULL,
	`total` text NOT NULL,
	`moment` text NOT NULL,
	`reports` integer NOT NULL,
	PRIMARY KEY(`series_id`, `span`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `usage_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`series_id` integer NOT NULL,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`delta` text NOT NULL,
	`behavior` text NOT NULL,
	`value` text NOT NULL,
	`idempotency_key` text,
	`dimensions` text,
	`reservation_id` text,
	FOREIGN KEY (`series_id`) REFERENCES `usage_report_series`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `usage_reservations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`resource_ref` text NOT NULL,
	`amount` text NOT NULL,
	`state` text NOT NULL,
	`expires_at` integer NOT NULL,
	`idempotency_key` text,
	`committed_amount` text,
	`report_id` text,
	`created_at` integer NOT NULL,
	`ended_at` integer, `dimensions` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `main_revision` (
	`id` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
, `commits` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE TABLE `usage_alert_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`evaluated_to` integer NOT NULL
);
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
CREATE TABLE "reached_alerts" (
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
	`updated_at` integer NOT NULL, `budget_id` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE "usage_alerts" (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`currency_id` text DEFAULT '' NOT NULL,
	`type` text NOT NULL,
	`threshold` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `entity_id` text DEFAULT '' NOT NULL);
--> statement-breakpoint
CREATE TABLE `feature_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`feature_ids` text NOT NULL,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_key_uses` (
	`key_id` text PRIMARY KEY NOT NULL,
	`last_used_at` integer NOT NULL,
	FOREIGN KEY (`key_id`) REFERENCES `api_keys`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `outbox_events` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`environment_id` text NOT NULL,
	`message_id` text NOT NULL,
	`trace_id` text NOT NULL,
	`type` text NOT NULL,
	`entity_id` text NOT NULL,
	`actor_type` text NOT NULL,
	`payload` text NOT NULL,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL
, `customer_ref` text);
--> statement-breakpoint
CREATE TABLE `webhook_replays` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`first_position` integer NOT NULL,
	`last_position` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`description` text,
	`event_types` text NOT NULL,
	`configuration` text NOT NULL,
	`status` text NOT NULL,
	`sends_secret` integer NOT NULL,
	`secret_version` integer NOT NULL,
	`former_secret_until` integer,
	`from_position` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `environment_roles` (
	`membership_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`membership_id`, `environment_id`),
	FOREIGN KEY (`membership_id`) REFERENCES `memberships`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text,
	`environment_roles` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by_id` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`role` text,
	`deactivated_at` integer,
	`created_at` integer NOT NULL, `is_provided` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE "users" (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`password_hash` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `outbox_notices` (
	`type` text NOT NULL,
	`entity_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`next_due_at` integer NOT NULL,
	PRIMARY KEY(`entity_id`, `type`)
);
--> statement-breakpoint
CREATE TABLE `entitlement_changes` (
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`trigger` text NOT NULL,
	PRIMARY KEY(`customer_id`, `resource_id`)
);
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `second_factors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`confirmed_at` integer,
	`last_step` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `checkouts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`session_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`order` text NOT NULL,
	`options` text NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_at` integer,
	`subscription_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customer_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`customer_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`return_url` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL, `budgets` text, `entity_id` text REFERENCES entities(id), `person_id` text, `request_id` text,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `portal_settings` (
	`product_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`change_plan` integer NOT NULL,
	`change_quantities` integer NOT NULL,
	`change_addons` integer NOT NULL,
	`cancel` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`subject` text,
	`user_name` text NOT NULL,
	`user_name_key` text NOT NULL,
	`external_id` text,
	`email` text NOT NULL,
	`given_name` text,
	`family_name` text,
	`display_name` text,
	`is_active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`provider_id`) REFERENCES `identity_providers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`domains` text NOT NULL,
	`role_mapping` text NOT NULL,
	`is_required` integer NOT NULL,
	`scim_token_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `used_states` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`group_id` text NOT NULL,
	`identity_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `identity_id`),
	FOREIGN KEY (`group_id`) REFERENCES `scim_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`identity_id`) REFERENCES `identities`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`provider_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`provider_id`) REFERENCES `identity_providers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `invoice_days` (
	`environment_id` text NOT NULL,
	`day` integer NOT NULL,
	`currency` text NOT NULL,
	`invoices` integer NOT NULL,
	`total_hundredths` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `day`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`completed_at` integer,
	`step` text NOT NULL,
	`place` text NOT NULL,
	`erased` text NOT NULL,
	`certificate` text,
	`sha256` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `folder_secret` (
	`id` integer PRIMARY KEY NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_personal" (
	`entry_id` text NOT NULL,
	`position` integer NOT NULL,
	`subject_id` text NOT NULL,
	`salt` text,
	`fields` text,
	`erased_at` integer,
	PRIMARY KEY(`entry_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	`serial` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`account_id` text,
	`at` integer NOT NULL,
	`recorded_at` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text,
	`request_id` text,
	`address` text,
	`operation` text NOT NULL,
	`entity_type` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_ref` text,
	`changes` text NOT NULL,
	`changes_count` integer NOT NULL,
	`subjects` text NOT NULL,
	`hash` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_chains" (
	`number` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`id` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	`sealed_sequence` integer DEFAULT 0 NOT NULL,
	`sealed_hash` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_subjects" (
	`chain` integer NOT NULL,
	`key` text NOT NULL,
	`entry` integer NOT NULL,
	`entity_type` text NOT NULL,
	PRIMARY KEY(`chain`, `key`, `entry`, `entity_type`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `billing_charges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`key` text NOT NULL,
	`terms` text,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	`interval` text,
	`anchor_at` integer NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`proration_mode` text NOT NULL,
	`payment_time` text NOT NULL,
	`billed_until` integer,
	`usage_events` integer,
	`usage_meter_id` text,
	`replaced_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `position` integer DEFAULT 0 NOT NULL);
--> statement-breakpoint
CREATE TABLE `charge_credits` (
	`charge_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`from_at` integer NOT NULL,
	`to_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`rated` text NOT NULL,
	`credit_note_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`charge_id`, `starts_at`, `revision`, `from_at`),
	FOREIGN KEY (`charge_id`) REFERENCES `billing_charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `charge_periods` (
	`charge_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`revision` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`state` text NOT NULL,
	`rated` text NOT NULL,
	`usage_quantity` text,
	`usage_events` integer,
	`invoice_id` text,
	`created_at` integer NOT NULL, `averaged_over_ms` integer, `whole_starts_at` integer, `line_charge_id` text, `left` text, `usage_state` text, `settled` text,
	PRIMARY KEY(`charge_id`, `starts_at`, `revision`),
	FOREIGN KEY (`charge_id`) REFERENCES `billing_charges`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `budget_assignments` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`node_id` text NOT NULL,
	`scope` text NOT NULL,
	`usage_limit` text,
	`cadence` text NOT NULL,
	`anchor_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `has_soft_limit` integer DEFAULT false NOT NULL, `allocated_from` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`node_id`) REFERENCES `budget_nodes`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `budget_counters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`assignment_id` text NOT NULL,
	`cadence` text NOT NULL,
	`window_start` integer NOT NULL,
	`window_end` integer NOT NULL,
	`used` text NOT NULL,
	`reserved` text NOT NULL, `exceeded_at` integer, `raised` text DEFAULT '0' NOT NULL,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `budget_entries` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`customer_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`source_id` text NOT NULL,
	`amount` text NOT NULL,
	`counters` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_holds` (
	`reservation_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`amount` text NOT NULL,
	`expires_at` integer NOT NULL,
	`counters` text NOT NULL,
	PRIMARY KEY(`reservation_id`, `capability_id`)
);
--> statement-breakpoint
CREATE TABLE `budget_nodes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`capability` text NOT NULL,
	`capability_id` text NOT NULL,
	`parent_id` text,
	`ancestors` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`entity_id`) REFERENCES `entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `entities` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`type_id` text NOT NULL,
	`display_name` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `expires_at` integer, `next_due_at` integer, `is_created` integer DEFAULT false NOT NULL, `approver` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`type_id`) REFERENCES `entity_types`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `entity_types` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`attribution_keys` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `creates_entities` integer DEFAULT false NOT NULL, `parent_type_id` text, `default_assignments` text DEFAULT '[]' NOT NULL);
--> statement-breakpoint
CREATE TABLE `budget_event_counts` (
	`entry` integer PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`meter_id` text NOT NULL,
	`after` integer NOT NULL,
	`up_to` integer NOT NULL,
	`canceled_to` integer NOT NULL,
	`is_reversal` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`attribution` text NOT NULL,
	FOREIGN KEY (`entry`) REFERENCES `budget_entries`(`sequence`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `budget_event_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`counted_to` integer NOT NULL,
	`canceled_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_event_meters` (
	`id` text PRIMARY KEY NOT NULL,
	`definition` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_tree` (
	`assignment_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`capability_id` text NOT NULL,
	`entity_id` text NOT NULL,
	`entity_ref` text NOT NULL,
	`scope_size` integer NOT NULL,
	`usage_limit` real,
	`current_usage` real NOT NULL,
	`utilization` real,
	`due_at` integer,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `budget_tree_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`followed_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `taxes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`percentage` text NOT NULL,
	`is_inclusive` integer NOT NULL,
	`country` text,
	`code` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `budget_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`assignment_id` text NOT NULL,
	`amount` text NOT NULL,
	`approved_amount` text,
	`counter_id` integer,
	`reason` text,
	`duration` text NOT NULL,
	`status` text NOT NULL,
	`requested_by` text NOT NULL,
	`next_due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`assignment_id`) REFERENCES `budget_assignments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_pauses` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`prorates` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `coupon_uses` (
	`environment_id` text NOT NULL,
	`application_id` text NOT NULL,
	`document_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	PRIMARY KEY(`application_id`, `document_id`)
);
--> statement-breakpoint
CREATE TABLE `spend_check_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`read_to` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spend_checks` (
	`environment_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`next_due_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `next_due_at`)
);
--> statement-breakpoint
CREATE TABLE `customer_parents` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`parent_id` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_dated_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`effective_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `highest_totals` (
	`subscription_id` text NOT NULL,
	`key` text NOT NULL,
	`starts_at` integer NOT NULL,
	`environment_id` text NOT NULL,
	`highest` text NOT NULL,
	`last_at` integer NOT NULL,
	`changes` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `key`, `starts_at`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_counts` (
	`environment_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`status` text NOT NULL,
	`pricing_type` text NOT NULL,
	`billing_period` text NOT NULL,
	`billing_country_code` text NOT NULL,
	`billing_currency` text NOT NULL,
	`is_billed` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `plan_id`, `version_id`, `status`, `pricing_type`, `billing_period`, `billing_country_code`, `billing_currency`, `is_billed`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `agreed_prices` (
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`price_id` text NOT NULL,
	`terms` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `feature_id`, `price_id`),
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `consolidated_invoices` (
	`invoice_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`collection_method` text NOT NULL,
	`next_due_at` integer,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_subscriptions` (
	`invoice_id` text NOT NULL,
	`subscription_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`subscription_ref_id` text NOT NULL,
	`tax_percentage` text,
	PRIMARY KEY(`invoice_id`, `subscription_id`),
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `allocations` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`invoice_id` text,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance_part` text NOT NULL,
	`reverses_id` text,
	`reason` text,
	`seal` text,
	`created_at` integer NOT NULL, `return_id` text,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `receipt_refunds` (
	`environment_id` text NOT NULL,
	`refund_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`amount` text NOT NULL,
	`unallocated_part` text NOT NULL,
	PRIMARY KEY(`refund_id`, `receipt_id`),
	FOREIGN KEY (`refund_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`number_count` integer NOT NULL,
	`kind` text NOT NULL,
	`currency` text NOT NULL,
	`reason` text,
	`amount` text NOT NULL,
	`unallocated` text NOT NULL,
	`refunded` text NOT NULL,
	`method` text NOT NULL,
	`reference` text,
	`reference_scope` text NOT NULL,
	`note` text,
	`received_at` integer NOT NULL,
	`seal` text,
	`created_at` integer NOT NULL, `disputed` text DEFAULT '0' NOT NULL, `source` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE "customer_balance_entries" (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`amount` text NOT NULL,
	`balance` text NOT NULL,
	`invoice_id` text,
	`credit_note_id` text,
	`payment_id` text,
	`reason` text,
	`seal` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `allocations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dunning_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`policy_id` text NOT NULL,
	`policy_source` text,
	`state` text NOT NULL,
	`reminders` text NOT NULL,
	`end_action` text NOT NULL,
	`end_after_days` integer NOT NULL,
	`round` integer NOT NULL,
	`anchor_day` integer NOT NULL,
	`position` integer NOT NULL,
	`suspended_at` integer,
	`suspension` text,
	`suspended_until` integer,
	`note` text,
	`end_reason` text,
	`ended_at` integer,
	`problem` text,
	`next_due_at` integer,
	`started_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `retry_buckets` text, `attempt_id` text, `attempt_phase` text, `waiting_for` text, `mail_kind` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `dunning_policies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dunning_mails` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`recipient` text,
	`kind` text NOT NULL,
	`language` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	`sent_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `invoice_ids` text,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dunning_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`case_id` text NOT NULL,
	`round` integer NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`days` integer NOT NULL,
	`outcome` text NOT NULL,
	`mail_id` text,
	`at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `dunning_cases`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `customer_dunning` (
	`customer_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`policy_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `removed_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`policy_id`) REFERENCES `dunning_policies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dunning_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`reminders` text NOT NULL,
	`end_action` text NOT NULL,
	`end_after_days` integer NOT NULL,
	`texts` text NOT NULL,
	`is_default` integer NOT NULL,
	`legal_entity_ids` text NOT NULL,
	`plan_ids` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `retries` text);
--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`state` text NOT NULL,
	`amount` text NOT NULL,
	`reason` text,
	`reference` text,
	`note` text,
	`opened_at` integer NOT NULL,
	`evidence_due_at` integer,
	`ended_at` integer,
	`return_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`return_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `attempt_invoices` (
	`attempt_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`amount` text NOT NULL,
	`is_open` integer NOT NULL,
	PRIMARY KEY(`attempt_id`, `invoice_id`),
	FOREIGN KEY (`attempt_id`) REFERENCES `attempts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`method_id` text NOT NULL,
	`trigger` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`description` text NOT NULL,
	`state` text NOT NULL,
	`ref` text,
	`pending` text,
	`key_number` integer NOT NULL,
	`key_since` integer,
	`is_cancel_wanted` integer NOT NULL,
	`received` text,
	`failure` text,
	`action_url` text,
	`receipt_id` text,
	`started_at` integer NOT NULL,
	`due_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`method_id`) REFERENCES `payment_methods`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `provider_calls` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`request` text,
	`cause` text NOT NULL,
	`outcome` text,
	`due_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `provider_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`legal_entity_ref_id` text,
	`mode` text NOT NULL,
	`account` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_webhook_secret` text,
	`former_sealed_webhook_secret` text,
	`former_until` integer,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`ref` text NOT NULL,
	`customer_ref` text NOT NULL,
	`kind` text NOT NULL,
	`brand` text,
	`last4` text,
	`expires_month` integer,
	`expires_year` integer,
	`country` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `detached_at` integer, `due_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `method_pages` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`state` text NOT NULL,
	`ref` text NOT NULL,
	`customer_ref` text,
	`url` text NOT NULL,
	`expires_at` integer NOT NULL,
	`due_at` integer,
	`opened_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bank_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`iban` text NOT NULL,
	`fee_tolerance` text DEFAULT '[]' NOT NULL,
	`csv_mapping` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bank_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`account_id` text NOT NULL,
	`statement_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`amount` text NOT NULL,
	`currency` text NOT NULL,
	`booked_on` text NOT NULL,
	`value_on` text,
	`is_reversal` integer NOT NULL,
	`bank_reference` text,
	`end_to_end_id` text,
	`mandate_id` text,
	`creditor_reference` text,
	`return_code` text,
	`party_name` text,
	`party_iban` text,
	`text` text NOT NULL,
	`state` text NOT NULL,
	`proposals` text NOT NULL,
	`customer_id` text,
	`receipt_id` text,
	`is_automatic` integer DEFAULT false NOT NULL,
	`decided_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `bank_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`statement_id`) REFERENCES `bank_statements`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`receipt_id`) REFERENCES `receipts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bank_import_parts` (
	`environment_id` text NOT NULL,
	`import_id` text NOT NULL,
	`position` integer NOT NULL,
	`items` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`import_id`, `position`)
);
--> statement-breakpoint
CREATE TABLE `bank_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`task_id` text NOT NULL,
	`format` text NOT NULL,
	`state` text NOT NULL,
	`statements_count` integer NOT NULL,
	`entries_count` integer NOT NULL,
	`known_count` integer DEFAULT 0 NOT NULL,
	`outgoing_count` integer DEFAULT 0 NOT NULL,
	`recorded_count` integer DEFAULT 0 NOT NULL,
	`proposed_count` integer DEFAULT 0 NOT NULL,
	`unmatched_count` integer DEFAULT 0 NOT NULL,
	`current` text,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE TABLE `bank_payers` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`iban` text NOT NULL,
	`customer_id` text NOT NULL,
	`entry_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `bank_statements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`account_id` text NOT NULL,
	`import_id` text NOT NULL,
	`number` text,
	`sequence` integer,
	`year` integer NOT NULL,
	`currency` text,
	`opening_balance` text,
	`closing_balance` text,
	`entries_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `bank_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`event_ref` text NOT NULL,
	`kind` text NOT NULL,
	`thing` text NOT NULL,
	`ref` text NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `provider_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`ref` text NOT NULL,
	`payment_ref` text NOT NULL,
	`problem` text,
	`due_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `direct_debit_creditors` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`creditor_id` text NOT NULL,
	`format` text NOT NULL,
	`lead_days` integer NOT NULL,
	`batch_booking` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `direct_debit_files` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`task_id` text NOT NULL,
	`state` text NOT NULL,
	`format` text NOT NULL,
	`creditor` text NOT NULL,
	`collect_until` text NOT NULL,
	`earliest_on` text NOT NULL,
	`debits_count` integer NOT NULL,
	`total` text NOT NULL,
	`groups` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `direct_debits` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`mandate_id` text NOT NULL,
	`invoice_id` text NOT NULL,
	`amount` text NOT NULL,
	`description` text NOT NULL,
	`state` text NOT NULL,
	`is_open` integer NOT NULL,
	`collection_on` text NOT NULL,
	`announcement` text NOT NULL,
	`sequence` text,
	`file_id` text,
	`file_group` text,
	`receipt_id` text,
	`return_id` text,
	`return_code` text,
	`returned_on` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`mandate_id`) REFERENCES `mandates`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `mandates` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`reference` text NOT NULL,
	`creditor_id` text NOT NULL,
	`scheme` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`iban` text,
	`bic` text,
	`debtor_name` text NOT NULL,
	`debtor_address` text,
	`signed_on` text NOT NULL,
	`last_collected_on` text,
	`stop_code` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `provider_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`receipt_id` text NOT NULL,
	`refund_receipt_id` text NOT NULL,
	`returned_receipt_ids` text NOT NULL,
	`payment_ref` text NOT NULL,
	`currency` text NOT NULL,
	`amount` text NOT NULL,
	`is_whole` integer NOT NULL,
	`reason` text,
	`state` text NOT NULL,
	`ref` text,
	`pending` integer NOT NULL,
	`key_number` integer NOT NULL,
	`key_since` integer,
	`failure` text,
	`started_at` integer NOT NULL,
	`due_at` integer,
	`ended_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`connection_id`) REFERENCES `provider_connections`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);
--> statement-breakpoint
CREATE INDEX `api_keys_environment` ON `api_keys` (`environment_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `environments_name` ON `environments` (`account_id`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `contract_items_contract` ON `contract_items` (`contract_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `contract_items_external` ON `contract_items` (`contract_id`,`external_id`);
--> statement-breakpoint
CREATE INDEX `contract_subscriptions_contract` ON `contract_subscriptions` (`contract_id`,`position`);
--> statement-breakpoint
CREATE UNIQUE INDEX `contracts_ref` ON `contracts` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `contracts_page` ON `contracts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `contracts_customer` ON `contracts` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `contracts_name` ON `contracts` (`environment_id`,`name`);
--> statement-breakpoint
CREATE INDEX `legal_entities_environment` ON `legal_entities` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `legal_entities_default` ON `legal_entities` (`environment_id`) WHERE is_default = 1;
--> statement-breakpoint
CREATE INDEX `payment_accounts_entity` ON `payment_accounts` (`legal_entity_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_default` ON `payment_accounts` (`legal_entity_id`) WHERE is_default = 1;
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_ref` ON `coupons` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `coupons_page` ON `coupons` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_currencies_active_ref` ON `custom_currencies` (`environment_id`,`ref_id`) WHERE "custom_currencies"."archived_at" is null;
--> statement-breakpoint
CREATE INDEX `custom_currencies_page` ON `custom_currencies` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_resources_ref` ON `customer_resources` (`customer_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `customer_resources_page` ON `customer_resources` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `customer_resources_name` ON `customer_resources` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_ref` ON `customers` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_billing` ON `customers` (`environment_id`,`billing_id`);
--> statement-breakpoint
CREATE INDEX `customers_page` ON `customers` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `features_ref` ON `features` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `features_page` ON `features` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `meters_feature` ON `meters` (`feature_id`);
--> statement-breakpoint
CREATE INDEX `meters_environment` ON `meters` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_customer_issued` ON `invoices` (`environment_id`,`customer_id`,`issued_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_subscription` ON `invoices` (`environment_id`,`subscription_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `invoices_contract` ON `invoices` (`environment_id`,`contract_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `charges_version` ON `charges` (`version_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_entitlements_feature` ON `package_entitlements` (`version_id`,`feature_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_entitlements_currency` ON `package_entitlements` (`version_id`,`currency_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_number` ON `package_versions` (`package_id`,`version_number`);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_draft` ON `package_versions` (`package_id`) WHERE status = 'DRAFT';
--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_latest` ON `package_versions` (`package_id`) WHERE is_latest = 1;
--> statement-breakpoint
CREATE INDEX `package_versions_parent` ON `package_versions` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `package_versions_page` ON `package_versions` (`package_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `packages_ref` ON `packages` (`environment_id`,`kind`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `packages_page` ON `packages` (`environment_id`,`kind`,`id`);
--> statement-breakpoint
CREATE INDEX `packages_product` ON `packages` (`product_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_ref` ON `products` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `products_page` ON `products` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `subscription_addons_version` ON `subscription_addons` (`version_id`);
--> statement-breakpoint
CREATE INDEX `subscription_coupons_subscription` ON `subscription_coupons` (`subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscription_entitlements_subscription` ON `subscription_entitlements` (`subscription_id`);
--> statement-breakpoint
CREATE INDEX `subscription_version_changes_subscription` ON `subscription_version_changes` (`subscription_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_ref` ON `subscriptions` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_plan` ON `subscriptions` (`plan_id`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_contract` ON `subscriptions` (`contract_id`);
--> statement-breakpoint
CREATE INDEX `tasks_queue` ON `tasks` (`type`,`status`,`due_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_dedupe` ON `tasks` (`environment_id`,`type`,`dedupe_key`) WHERE status IN ('PENDING', 'IN_PROGRESS') AND dedupe_key IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_sequence` ON `credit_notes` (`environment_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `credit_notes_customer` ON `credit_notes` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_notes_invoice` ON `credit_notes` (`environment_id`,`invoice_id`,`sequence`);
--> statement-breakpoint
CREATE UNIQUE INDEX `promotional_entitlements_live` ON `promotional_entitlements` (`customer_id`,`feature_id`) WHERE revoked_at IS NULL;
--> statement-breakpoint
CREATE INDEX `promotional_entitlements_page` ON `promotional_entitlements` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `plan_simulation_costs_weight` ON `plan_simulation_costs` (`simulation_id`,`weight`);
--> statement-breakpoint
CREATE UNIQUE INDEX `plan_simulations_plan` ON `plan_simulations` (`plan_id`);
--> statement-breakpoint
CREATE INDEX `subscription_updates_subscription` ON `subscription_updates` (`subscription_id`,`status`,`execute_at`);
--> statement-breakpoint
CREATE INDEX `subscription_updates_invoice` ON `subscription_updates` (`invoice_id`);
--> statement-breakpoint
CREATE INDEX `environments_frozen` ON `environments` (`clock_at`) WHERE clock_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscriptions_place` ON `subscriptions` (`customer_id`,`status`,`product_id`,`resource_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_due` ON `subscriptions` (`environment_id`,`next_due_at`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_customer_due` ON `subscriptions` (`customer_id`,`next_due_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_supersedes` ON `subscriptions` (`supersedes_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_trial` ON `subscriptions` (`customer_id`,`product_id`) WHERE status = 'IN_TRIAL' AND resource_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_trial_resource` ON `subscriptions` (`customer_id`,`product_id`,`resource_id`) WHERE status = 'IN_TRIAL' AND resource_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `task_errors_item` ON `task_errors` (`task_id`,`item_id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_problem` ON `subscriptions` (`environment_id`,`id`) WHERE problem IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `customers_coupon` ON `customers` (`coupon_id`,`id`) WHERE coupon_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `charges_feature` ON `charges` (`feature_id`) WHERE feature_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `charges_credit` ON `charges` (`credit_currency_id`) WHERE credit_currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `charges_top_up` ON `charges` (`top_up_currency_id`) WHERE top_up_currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `charges_overage` ON `charges` (`overage_currency_id`) WHERE overage_currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `package_entitlements_of_feature` ON `package_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `package_entitlements_of_currency` ON `package_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `package_entitlements_dependency` ON `package_entitlements` (`dependency_feature_id`) WHERE dependency_feature_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `package_versions_environment` ON `package_versions` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `subscription_entitlements_feature` ON `subscription_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_entitlements_currency` ON `subscription_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_quantities_feature` ON `subscription_quantities` (`feature_id`) WHERE feature_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_quantities_currency` ON `subscription_quantities` (`currency_id`) WHERE currency_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_version_changes_from` ON `subscription_version_changes` (`from_version_id`);
--> statement-breakpoint
CREATE INDEX `subscription_version_changes_to` ON `subscription_version_changes` (`to_version_id`);
--> statement-breakpoint
CREATE INDEX `subscription_version_changes_package` ON `subscription_version_changes` (`package_id`);
--> statement-breakpoint
CREATE INDEX `tasks_ended` ON `tasks` (`ended_at`) WHERE ended_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `customers_created` ON `customers` (`environment_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `customers_shown` ON `customers` (`environment_id`,`id`,`created_at`) WHERE archived_at IS NULL;
--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`environment_id`,`email`,`id`);
--> statement-breakpoint
CREATE INDEX `customers_name` ON `customers` (`environment_id`,`name`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_created` ON `subscriptions` (`environment_id`,`created_at`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_plan_status` ON `subscriptions` (`plan_id`,`status`,`pricing_type`,`id`,`runs_until`,`cancel_at`,`created_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_resource` ON `subscriptions` (`resource_id`,`id`) WHERE resource_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscriptions_page` ON `subscriptions` (`environment_id`,`id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_version` ON `subscriptions` (`version_id`,`customer_id`,`status`,`runs_until`);
--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`environment_id`,`status`,`pricing_type`,`id`,`runs_until`,`cancel_at`,`created_at`);
--> statement-breakpoint
CREATE INDEX `promotional_entitlements_environment` ON `promotional_entitlements` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_note_lines_charge` ON `credit_note_lines` (`charge_id`) WHERE charge_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoice_lines_correction` ON `invoice_lines` (`charge_id`) WHERE charge_id IS NOT NULL AND amount LIKE '-%';
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_report_series_of` ON `usage_report_series` (`feature_id`,`customer_id`,`resource_ref`);
--> statement-breakpoint
CREATE INDEX `usage_reports_time` ON `usage_reports` (`series_id`,`at`);
--> statement-breakpoint
CREATE INDEX `usage_reports_set` ON `usage_reports` (`series_id`,`at`) WHERE behavior = 'SET';
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_reports_key` ON `usage_reports` (`series_id`,`idempotency_key`) WHERE idempotency_key is not null;
--> statement-breakpoint
CREATE INDEX `usage_reservations_held` ON `usage_reservations` (`customer_id`,`feature_id`,`resource_ref`,`expires_at`) WHERE state = 'HELD';
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_reservations_key` ON `usage_reservations` (`customer_id`,`feature_id`,`resource_ref`,`idempotency_key`) WHERE idempotency_key is not null;
--> statement-breakpoint
CREATE INDEX `credit_auto_recharges_due` ON `credit_auto_recharges` (`environment_id`,`next_due_at`) WHERE next_due_at is not null;
--> statement-breakpoint
CREATE INDEX `credit_consumptions_waiting` ON `credit_consumptions` (`id`) WHERE is_settled = 0;
--> statement-breakpoint
CREATE INDEX `credit_entries_customer` ON `credit_entries` (`customer_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `credit_entries_wallet` ON `credit_entries` (`wallet_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `credit_entries_rare` ON `credit_entries` (`customer_id`,`event_type`,`sequence`) WHERE event_type <> 'CREDITS_CONSUMED';
--> statement-breakpoint
CREATE INDEX `credit_entries_dimensions` ON `credit_entries` (`wallet_id`,`at`) WHERE dimensions is not null;
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
CREATE INDEX `credit_wallets_resource` ON `credit_wallets` (`customer_id`,`resource_ref`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_page` ON `credit_wallets` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_customer` ON `credit_wallets` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `credit_wallets_currency` ON `credit_wallets` (`currency_id`);
--> statement-breakpoint
CREATE INDEX `credit_event_draws_of` ON `credit_event_draws` (`customer_id`,`hour`,`up_to`);
--> statement-breakpoint
CREATE INDEX `credit_events_left_due` ON `credit_events_left` (`retry_at`);
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
CREATE INDEX `usage_alerts_of_currency` ON `usage_alerts` (`currency_id`,`id`) WHERE currency_id <> '';
--> statement-breakpoint
CREATE INDEX `usage_alerts_page` ON `usage_alerts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_customer` ON `usage_alerts` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_feature` ON `usage_alerts` (`feature_id`,`id`);
--> statement-breakpoint
CREATE INDEX `contracts_due` ON `contracts` (`environment_id`,`next_due_at`);
--> statement-breakpoint
CREATE INDEX `credit_notes_contract` ON `credit_notes` (`environment_id`,`contract_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_contract_ref` ON `invoices` (`environment_id`,`contract_ref_id`,`issued_at`,`id`) WHERE contract_ref_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoices_state_issued` ON `invoices` (`environment_id`,`state`,`issued_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_state_due` ON `invoices` (`environment_id`,`state`,`due_at`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_number` ON `invoices` (`environment_id`,`number`);
--> statement-breakpoint
CREATE INDEX `usage_reservations_page` ON `usage_reservations` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `usage_reservations_held_of_customer` ON `usage_reservations` (`customer_id`,`expires_at`) WHERE state = 'HELD';
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_auto_recharges_of` ON `credit_auto_recharges` (`customer_id`,`currency_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_consumptions_key` ON `credit_consumptions` (`customer_id`,`idempotency_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_entries_id` ON `credit_entries` (`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_wallets_of` ON `credit_wallets` (`customer_id`,`currency_id`,`resource_ref`);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_credits_of` ON `subscription_credits` (`subscription_id`,`currency_id`,`source_type`,`addon_ref`,`cycle`);
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_counted` ON `credit_notes` (`environment_id`,`legal_entity_id`,`number_year`,`number_count`);
--> statement-breakpoint
CREATE UNIQUE INDEX `feature_groups_ref` ON `feature_groups` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `feature_groups_page` ON `feature_groups` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `invoices_due` ON `invoices` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_sequence` ON `invoices` (`environment_id`,`sequence`) WHERE sequence > 0;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_counted` ON `invoices` (`environment_id`,`legal_entity_id`,`number_year`,`number_count`) WHERE sequence > 0;
--> statement-breakpoint
CREATE INDEX `webhook_replays_of` ON `webhook_replays` (`webhook_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `webhook_replays_kept` ON `webhook_replays` (`created_at`);
--> statement-breakpoint
CREATE INDEX `webhooks_page` ON `webhooks` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `environment_roles_role` ON `environment_roles` (`role`);
--> statement-breakpoint
CREATE INDEX `memberships_account` ON `memberships` (`account_id`,`role`);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`account_id`,`email`);
--> statement-breakpoint
CREATE UNIQUE INDEX `roles_name` ON `roles` (`account_id`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_user` ON `memberships` (`user_id`,`account_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);
--> statement-breakpoint
CREATE INDEX `tasks_listed` ON `tasks` (`environment_id`,`type`,`status`,`id`);
--> statement-breakpoint
CREATE INDEX `outbox_notices_due` ON `outbox_notices` (`environment_id`,`next_due_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_token_hash_unique` ON `password_resets` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `second_factors_user_id_unique` ON `second_factors` (`user_id`);
--> statement-breakpoint
CREATE INDEX `contracts_name_search` ON `contracts` (`environment_id`,name collate nocase);
--> statement-breakpoint
CREATE INDEX `customers_name_search` ON `customers` (`environment_id`,name collate nocase);
--> statement-breakpoint
CREATE INDEX `checkouts_session` ON `checkouts` (`session_id`);
--> statement-breakpoint
CREATE INDEX `checkouts_expiry` ON `checkouts` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `checkouts_customer` ON `checkouts` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_sessions_token_hash_unique` ON `customer_sessions` (`token_hash`);
--> statement-breakpoint
CREATE INDEX `customer_sessions_expiry` ON `customer_sessions` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `customer_sessions_customer` ON `customer_sessions` (`customer_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_name` ON `identities` (`provider_id`,`user_name_key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`provider_id`,`subject`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_external` ON `identities` (`provider_id`,`external_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`provider_id`,`user_id`);
--> statement-breakpoint
CREATE INDEX `identities_page` ON `identities` (`provider_id`,`id`);
--> statement-breakpoint
CREATE INDEX `identities_email` ON `identities` (`provider_id`,`email`);
--> statement-breakpoint
CREATE UNIQUE INDEX `identity_providers_scim_token_hash_unique` ON `identity_providers` (`scim_token_hash`);
--> statement-breakpoint
CREATE INDEX `identity_providers_account` ON `identity_providers` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `used_states_expiry` ON `used_states` (`expires_at`);
--> statement-breakpoint
CREATE INDEX `scim_group_members_of` ON `scim_group_members` (`identity_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_groups_name` ON `scim_groups` (`provider_id`,`display_name`);
--> statement-breakpoint
CREATE INDEX `scim_groups_external` ON `scim_groups` (`provider_id`,`external_id`);
--> statement-breakpoint
CREATE INDEX `scim_groups_page` ON `scim_groups` (`provider_id`,`id`);
--> statement-breakpoint
CREATE INDEX `erasures_customer` ON `erasures` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `coupons_name_search` ON `coupons` (`environment_id`,name collate nocase);
--> statement-breakpoint
CREATE INDEX `features_name_search` ON `features` (`environment_id`,display_name collate nocase);
--> statement-breakpoint
CREATE INDEX `package_versions_name_search` ON `package_versions` (`environment_id`,display_name collate nocase);
--> statement-breakpoint
CREATE INDEX `products_name_search` ON `products` (`environment_id`,display_name collate nocase);
--> statement-breakpoint
CREATE INDEX `contracts_expiring` ON `contracts` (`environment_id`,`activation_end_at`,`id`) WHERE renewal IS NULL AND archived_at IS NULL;
--> statement-breakpoint
CREATE INDEX `subscriptions_trial_ends` ON `subscriptions` (`environment_id`,`trial_end_at`,`id`) WHERE status = 'IN_TRIAL';
--> statement-breakpoint
CREATE INDEX `outbox_events_feed` ON `outbox_events` (`environment_id`,`position`);
--> statement-breakpoint
CREATE INDEX `outbox_events_customer` ON `outbox_events` (`environment_id`,`customer_ref`,`position`) WHERE customer_ref IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_chain` ON `audit_entries` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_chains_environment_id_unique` ON `audit_chains` (`environment_id`);
--> statement-breakpoint
CREATE INDEX `audit_entries_actor` ON `audit_entries` (`environment_id`,`actor_id`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_entries_operation` ON `audit_entries` (`environment_id`,`operation`,`id`);
--> statement-breakpoint
CREATE INDEX `billing_charges_owner` ON `billing_charges` (`owner_id`,`key`);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_charges_current` ON `billing_charges` (`owner_id`,`key`) WHERE replaced_at IS NULL;
--> statement-breakpoint
CREATE INDEX `charge_periods_invoice` ON `charge_periods` (`invoice_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_assignments_of` ON `budget_assignments` (`node_id`,`scope`);
--> statement-breakpoint
CREATE INDEX `budget_assignments_page` ON `budget_assignments` (`customer_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_counters_of` ON `budget_counters` (`assignment_id`,`window_start`,`cadence`);
--> statement-breakpoint
CREATE INDEX `budget_counters_customer` ON `budget_counters` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `budget_entries_customer` ON `budget_entries` (`customer_id`,`sequence`);
--> statement-breakpoint
CREATE INDEX `budget_holds_expiry` ON `budget_holds` (`customer_id`,`expires_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `budget_nodes_of` ON `budget_nodes` (`entity_id`,`capability_id`);
--> statement-breakpoint
CREATE INDEX `budget_nodes_children` ON `budget_nodes` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `budget_nodes_customer` ON `budget_nodes` (`customer_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `entities_ref` ON `entities` (`customer_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `entities_page` ON `entities` (`customer_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `entity_types_ref` ON `entity_types` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `entity_types_page` ON `entity_types` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `budget_event_counts_of` ON `budget_event_counts` (`customer_id`,`up_to`);
--> statement-breakpoint
CREATE INDEX `budget_nodes_capability` ON `budget_nodes` (`capability_id`,`customer_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_created` ON `budget_tree` (`customer_id`,`capability_id`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_utilization` ON `budget_tree` (`customer_id`,`capability_id`,`utilization`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_usage` ON `budget_tree` (`customer_id`,`capability_id`,`current_usage`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_limit` ON `budget_tree` (`customer_id`,`capability_id`,`usage_limit`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_scope` ON `budget_tree` (`customer_id`,`capability_id`,`scope_size`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_entity` ON `budget_tree` (`customer_id`,`capability_id`,`entity_ref`,`assignment_id`);
--> statement-breakpoint
CREATE INDEX `budget_tree_due` ON `budget_tree` (`environment_id`,`due_at`);
--> statement-breakpoint
CREATE INDEX `charges_price_terms` ON `charges` (`environment_id`) WHERE price_terms IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `taxes_ref` ON `taxes` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `taxes_page` ON `taxes` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `reached_alerts_once` ON `reached_alerts` (`alert_id`,`customer_id`,`resource_ref`,`budget_id`,`period_start`,`type`,`threshold`);
--> statement-breakpoint
CREATE INDEX `usage_alerts_of_entity` ON `usage_alerts` (`entity_id`,`id`) WHERE entity_id <> '';
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_alerts_once` ON `usage_alerts` (`environment_id`,`customer_id`,`feature_id`,`currency_id`,`entity_id`,`type`,`threshold`);
--> statement-breakpoint
CREATE INDEX `entities_due` ON `entities` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `budget_assignments_allocated` ON `budget_assignments` (`allocated_from`) WHERE allocated_from IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `budget_requests_page` ON `budget_requests` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `budget_requests_of_budget` ON `budget_requests` (`assignment_id`,`status`);
--> statement-breakpoint
CREATE INDEX `budget_requests_due` ON `budget_requests` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_pauses_subscription` ON `subscription_pauses` (`subscription_id`,`start_at`);
--> statement-breakpoint
CREATE INDEX `subscriptions_ends` ON `subscriptions` (`environment_id`,`runs_until`) WHERE runs_until IS NOT NULL AND status IN ('NOT_STARTED', 'PAYMENT_PENDING', 'IN_TRIAL', 'ACTIVE', 'PAUSED');
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running` ON `subscriptions` (`customer_id`,`product_id`) WHERE status IN ('ACTIVE', 'PAUSED') AND resource_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running_resource` ON `subscriptions` (`customer_id`,`product_id`,`resource_id`) WHERE status IN ('ACTIVE', 'PAUSED') AND resource_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `coupon_uses_document` ON `coupon_uses` (`environment_id`,`document_id`);
--> statement-breakpoint
CREATE INDEX `entities_created` ON `entities` (`customer_id`) WHERE is_created = 1 AND archived_at IS NULL;
--> statement-breakpoint
CREATE INDEX `spend_checks_due` ON `spend_checks` (`environment_id`,`next_due_at`);
--> statement-breakpoint
CREATE INDEX `package_versions_thresholds` ON `package_versions` (`environment_id`) WHERE spend_thresholds IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscriptions_thresholds` ON `subscriptions` (`environment_id`) WHERE spend_thresholds IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `customer_parents_customer` ON `customer_parents` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `customer_parents_parent` ON `customer_parents` (`parent_id`,`id`);
--> statement-breakpoint
CREATE INDEX `customers_parent` ON `customers` (`parent_customer_id`,`id`) WHERE parent_customer_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `subscription_dated_changes_subscription` ON `subscription_dated_changes` (`subscription_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `package_versions_phases` ON `package_versions` (`environment_id`) WHERE phases IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `charges_at_event` ON `charges` (`environment_id`,`version_id`) WHERE price_terms ->> 'eventInvoicing' IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `consolidated_invoices_due` ON `consolidated_invoices` (`environment_id`,`next_due_at`) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invoice_subscriptions_subscription` ON `invoice_subscriptions` (`subscription_id`,`invoice_id`);
--> statement-breakpoint
CREATE INDEX `allocations_invoice` ON `allocations` (`environment_id`,`invoice_id`,`id`);
--> statement-breakpoint
CREATE INDEX `allocations_receipt` ON `allocations` (`receipt_id`,`id`);
--> statement-breakpoint
CREATE INDEX `receipt_refunds_receipt` ON `receipt_refunds` (`receipt_id`,`refund_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_counted` ON `receipts` (`environment_id`,`legal_entity_id`,`number_count`);
--> statement-breakpoint
CREATE UNIQUE INDEX `receipts_reference` ON `receipts` (`environment_id`,`reference_scope`,`kind`,`reference`) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `receipts_environment` ON `receipts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `receipts_customer` ON `receipts` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `receipts_unallocated` ON `receipts` (`environment_id`,`id`) WHERE unallocated <> '0';
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_balance_entries_sequence` ON `customer_balance_entries` (`environment_id`,`customer_id`,`currency`,`sequence`);
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
CREATE INDEX `allocations_reversed` ON `allocations` (`reverses_id`) WHERE reverses_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `receipts_kind` ON `receipts` (`environment_id`,`kind`,`id`);
--> statement-breakpoint
CREATE INDEX `subscriptions_payer_due` ON `subscriptions` (`paying_customer_id`,`next_due_at`) WHERE paying_customer_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_cases_invoice` ON `dunning_cases` (`environment_id`,`invoice_id`);
--> statement-breakpoint
CREATE INDEX `dunning_cases_customer` ON `dunning_cases` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `dunning_cases_page` ON `dunning_cases` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `dunning_cases_state` ON `dunning_cases` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `dunning_cases_due` ON `dunning_cases` (`environment_id`,`next_due_at`,`customer_id`,`legal_entity_id`,`id`) WHERE next_due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `dunning_mails_customer` ON `dunning_mails` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_steps_once` ON `dunning_steps` (`case_id`,`round`,`position`);
--> statement-breakpoint
CREATE INDEX `dunning_steps_mail` ON `dunning_steps` (`mail_id`) WHERE mail_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `dunning_policies_ref` ON `dunning_policies` (`environment_id`,`ref_id`);
--> statement-breakpoint
CREATE INDEX `dunning_policies_page` ON `dunning_policies` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `dunning_policies_active` ON `dunning_policies` (`environment_id`,`id`) WHERE archived_at IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `disputes_reference` ON `disputes` (`receipt_id`,`reference`) WHERE reference IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `disputes_environment` ON `disputes` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `disputes_state` ON `disputes` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `disputes_customer` ON `disputes` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `disputes_receipt` ON `disputes` (`receipt_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `attempt_invoices_open` ON `attempt_invoices` (`invoice_id`) WHERE is_open = 1;
--> statement-breakpoint
CREATE INDEX `attempt_invoices_invoice` ON `attempt_invoices` (`environment_id`,`invoice_id`,`attempt_id`);
--> statement-breakpoint
CREATE INDEX `attempts_environment` ON `attempts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `attempts_customer` ON `attempts` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `attempts_state` ON `attempts` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `attempts_ref` ON `attempts` (`environment_id`,`connection_id`,`ref`) WHERE ref IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `attempts_due` ON `attempts` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provider_calls_due` ON `provider_calls` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provider_calls_age` ON `provider_calls` (`environment_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `provider_connections_page` ON `provider_connections` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_methods_ref` ON `payment_methods` (`environment_id`,`connection_id`,`ref`);
--> statement-breakpoint
CREATE INDEX `payment_methods_customer` ON `payment_methods` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `method_pages_customer` ON `method_pages` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `method_pages_due` ON `method_pages` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_accounts_iban` ON `bank_accounts` (`environment_id`,`iban`);
--> statement-breakpoint
CREATE INDEX `bank_accounts_environment` ON `bank_accounts` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_entries_fingerprint` ON `bank_entries` (`account_id`,`fingerprint`);
--> statement-breakpoint
CREATE INDEX `bank_entries_environment` ON `bank_entries` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_entries_state` ON `bank_entries` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_entries_statement` ON `bank_entries` (`statement_id`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_entries_account` ON `bank_entries` (`account_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_entries_customer` ON `bank_entries` (`environment_id`,`customer_id`,`id`) WHERE customer_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_entries_receipt` ON `bank_entries` (`receipt_id`) WHERE receipt_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `bank_import_parts_created` ON `bank_import_parts` (`created_at`);
--> statement-breakpoint
CREATE INDEX `bank_imports_environment` ON `bank_imports` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `bank_payers_iban` ON `bank_payers` (`environment_id`,`iban`);
--> statement-breakpoint
CREATE INDEX `bank_payers_customer` ON `bank_payers` (`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_statements_environment` ON `bank_statements` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_statements_account` ON `bank_statements` (`account_id`,`id`);
--> statement-breakpoint
CREATE INDEX `bank_statements_sequence` ON `bank_statements` (`account_id`,`year`,`sequence`);
--> statement-breakpoint
CREATE INDEX `payment_methods_due` ON `payment_methods` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_events_event` ON `provider_events` (`connection_id`,`event_ref`);
--> statement-breakpoint
CREATE INDEX `provider_events_due` ON `provider_events` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provider_events_object` ON `provider_events` (`connection_id`,`thing`,`ref`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provider_events_age` ON `provider_events` (`created_at`);
--> statement-breakpoint
CREATE INDEX `method_pages_ref` ON `method_pages` (`environment_id`,`connection_id`,`ref`);
--> statement-breakpoint
CREATE INDEX `attempts_method` ON `attempts` (`environment_id`,`method_id`,`state`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `provider_disputes_ref` ON `provider_disputes` (`connection_id`,`ref`);
--> statement-breakpoint
CREATE INDEX `provider_disputes_due` ON `provider_disputes` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `provider_disputes_environment` ON `provider_disputes` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debit_creditors_entity` ON `direct_debit_creditors` (`environment_id`,`legal_entity_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debit_files_making` ON `direct_debit_files` (`legal_entity_id`) WHERE state = 'MAKING';
--> statement-breakpoint
CREATE INDEX `direct_debit_files_environment` ON `direct_debit_files` (`environment_id`,`id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `direct_debits_open` ON `direct_debits` (`invoice_id`) WHERE is_open = 1;
--> statement-breakpoint
CREATE INDEX `direct_debits_environment` ON `direct_debits` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `direct_debits_customer` ON `direct_debits` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `direct_debits_invoice` ON `direct_debits` (`environment_id`,`invoice_id`,`id`);
--> statement-breakpoint
CREATE INDEX `direct_debits_mandate` ON `direct_debits` (`mandate_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `direct_debits_state` ON `direct_debits` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `direct_debits_planned` ON `direct_debits` (`legal_entity_id`,`collection_on`,`id`) WHERE state = 'PLANNED';
--> statement-breakpoint
CREATE INDEX `direct_debits_in_file` ON `direct_debits` (`file_id`,`file_group`,`id`) WHERE state = 'IN_FILE';
--> statement-breakpoint
CREATE INDEX `direct_debits_file` ON `direct_debits` (`file_id`,`file_group`,`id`) WHERE file_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `mandates_reference` ON `mandates` (`environment_id`,`reference`);
--> statement-breakpoint
CREATE INDEX `mandates_environment` ON `mandates` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `mandates_customer` ON `mandates` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `provider_refunds_environment` ON `provider_refunds` (`environment_id`,`id`);
--> statement-breakpoint
CREATE INDEX `provider_refunds_customer` ON `provider_refunds` (`environment_id`,`customer_id`,`id`);
--> statement-breakpoint
CREATE INDEX `provider_refunds_receipt` ON `provider_refunds` (`environment_id`,`receipt_id`,`id`);
--> statement-breakpoint
CREATE INDEX `provider_refunds_state` ON `provider_refunds` (`environment_id`,`state`,`id`);
--> statement-breakpoint
CREATE INDEX `provider_refunds_due` ON `provider_refunds` (`due_at`) WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `attempts_open` ON `attempts` (`environment_id`,`customer_id`,`id`) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE TRIGGER customers_counted_insert AFTER INSERT ON customers WHEN NEW.archived_at IS NULL BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_delete AFTER DELETE ON customers WHEN OLD.archived_at IS NULL BEGIN
	UPDATE customer_counts SET count = count - 1 WHERE environment_id = OLD.environment_id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_counted_update AFTER UPDATE OF archived_at ON customers
WHEN (OLD.archived_at IS NULL) <> (NEW.archived_at IS NULL) BEGIN
	INSERT INTO customer_counts VALUES (NEW.environment_id, NEW.archived_at IS NULL)
	ON CONFLICT DO UPDATE SET count = count + CASE WHEN NEW.archived_at IS NULL THEN 1 ELSE -1 END;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_alerted_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_alerted_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''))
	ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_alerted_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_alerted_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE environment_id = NEW.environment_id) BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER credit_wallets_alerted_update AFTER UPDATE OF consumed, waiting, active_amount ON credit_wallets
WHEN EXISTS (SELECT 1 FROM usage_alerts WHERE currency_id = NEW.currency_id AND currency_id <> '') BEGIN
	INSERT INTO credit_alert_changes VALUES (NEW.id, NEW.environment_id) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_told_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''), 'subscription_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_told_thresholds_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, '')) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_told_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, ''), 'subscription_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_told_thresholds_update AFTER UPDATE OF updated_at ON subscriptions
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, coalesce(NEW.resource_id, '')) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_told_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, '', 'promotional_entitlement_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_told_thresholds_insert AFTER INSERT ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_told_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND event_types LIKE '%"entitlements.updated"%') BEGIN
	INSERT INTO entitlement_changes VALUES (NEW.environment_id, NEW.customer_id, '', 'promotional_entitlement_updated') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER promotional_entitlements_told_thresholds_update AFTER UPDATE OF updated_at ON promotional_entitlements
WHEN EXISTS (SELECT 1 FROM webhooks WHERE environment_id = NEW.environment_id AND status = 'ACTIVE' AND configuration LIKE '%thresholds%') BEGIN
	INSERT INTO usage_alert_changes VALUES (NEW.environment_id, NEW.customer_id, '') ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_by_day_insert AFTER INSERT ON invoices WHEN NEW.sequence > 0 AND NEW.state <> 'CANCELED' BEGIN
	INSERT INTO invoice_days VALUES (NEW.environment_id, NEW.issued_at / 86400000, NEW.currency, 1, NEW.total_hundredths)
	ON CONFLICT DO UPDATE SET invoices = invoices + 1, total_hundredths = total_hundredths + excluded.total_hundredths;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_by_day_delete AFTER DELETE ON invoices WHEN OLD.sequence > 0 AND OLD.state <> 'CANCELED' BEGIN
	UPDATE invoice_days SET invoices = invoices - 1, total_hundredths = total_hundredths - OLD.total_hundredths
	WHERE environment_id = OLD.environment_id AND day = OLD.issued_at / 86400000 AND currency = OLD.currency;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_by_day_leave AFTER UPDATE OF state, sequence, issued_at, total_hundredths, currency ON invoices
WHEN OLD.sequence > 0 AND OLD.state <> 'CANCELED' BEGIN
	UPDATE invoice_days SET invoices = invoices - 1, total_hundredths = total_hundredths - OLD.total_hundredths
	WHERE environment_id = OLD.environment_id AND day = OLD.issued_at / 86400000 AND currency = OLD.currency;
END;
--> statement-breakpoint
CREATE TRIGGER invoices_by_day_enter AFTER UPDATE OF state, sequence, issued_at, total_hundredths, currency ON invoices
WHEN NEW.sequence > 0 AND NEW.state <> 'CANCELED' BEGIN
	INSERT INTO invoice_days VALUES (NEW.environment_id, NEW.issued_at / 86400000, NEW.currency, 1, NEW.total_hundredths)
	ON CONFLICT DO UPDATE SET invoices = invoices + 1, total_hundredths = total_hundredths + excluded.total_hundredths;
END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are never changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
WHEN OLD.sequence > (SELECT sealed_sequence FROM audit_chains WHERE environment_id = OLD.environment_id) BEGIN
	SELECT RAISE(ABORT, 'entries of the audit log are removed from its beginning only, once that is sealed');
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_insert AFTER INSERT ON subscriptions BEGIN
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''), coalesce(NEW.billing_currency, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_delete AFTER DELETE ON subscriptions BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND billing_currency = coalesce(OLD.billing_currency, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
END;
--> statement-breakpoint
CREATE TRIGGER subscriptions_counted_update
AFTER UPDATE OF environment_id, plan_id, version_id, status, pricing_type, billing_period, billing_country_code, billing_currency,
	billed_until, payment_collection_method
ON subscriptions
WHEN (OLD.environment_id, OLD.plan_id, OLD.version_id, OLD.status, OLD.pricing_type, OLD.billing_period, OLD.billing_country_code,
		OLD.billing_currency, OLD.billed_until IS NULL, OLD.payment_collection_method)
	IS NOT (NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type, NEW.billing_period, NEW.billing_country_code,
		NEW.billing_currency, NEW.billed_until IS NULL, NEW.payment_collection_method)
BEGIN
	UPDATE subscription_counts SET count = count - 1
	WHERE environment_id = OLD.environment_id AND plan_id = OLD.plan_id AND version_id = OLD.version_id
		AND status = OLD.status AND pricing_type = OLD.pricing_type
		AND billing_period = coalesce(OLD.billing_period, '') AND billing_country_code = coalesce(OLD.billing_country_code, '')
		AND billing_currency = coalesce(OLD.billing_currency, '')
		AND is_billed = (OLD.billed_until IS NOT NULL AND coalesce(OLD.payment_collection_method, '') <> 'NONE');
	INSERT INTO subscription_counts VALUES (
		NEW.environment_id, NEW.plan_id, NEW.version_id, NEW.status, NEW.pricing_type,
		coalesce(NEW.billing_period, ''), coalesce(NEW.billing_country_code, ''), coalesce(NEW.billing_currency, ''),
		NEW.billed_until IS NOT NULL AND coalesce(NEW.payment_collection_method, '') <> 'NONE', 1
	) ON CONFLICT DO UPDATE SET count = count + 1;
END;
