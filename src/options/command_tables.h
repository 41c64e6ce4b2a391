// The tables of options that single commands have, in addition to those of option_table.h.
#pragma once

#include <span>

#include "options/option_row.h"
#include "paraprint/audit.h"
#include "paraprint/cdx.h"
#include "paraprint/contamination.h"
#include "paraprint/crawl.h"
#include "paraprint/engine.h"
#include "paraprint/evaluate.h"
#include "paraprint/evaluate_extraction.h"
#include "paraprint/index.h"
#include "paraprint/judged_samples.h"
#include "paraprint/payloads.h"
#include "paraprint/plan.h"
#include "paraprint/serve.h"
#include "paraprint/simulate.h"
#include "paraprint/topics.h"
#include "paraprint/vectors.h"
#include "paraprint/view.h"
#include "paraprint/wacz.h"

namespace paraprint::inline options {

std::span<const OptionRow<LabelledInputs>> labelled_input_option_rows();
std::span<const OptionRow<EvaluateOptions>> evaluate_option_rows();
std::span<const OptionRow<SampleOptions>> sample_option_rows();
std::span<const OptionRow<EvaluateExtractionOptions>> evaluate_extraction_option_rows();
std::span<const OptionRow<SimulateOptions>> simulate_option_rows();
std::span<const OptionRow<CrawlOptions>> crawl_option_rows();
std::span<const OptionRow<ServeOptions>> serve_option_rows();
std::span<const OptionRow<ServiceLimits>> service_limit_option_rows();
std::span<const OptionRow<FeedOptions>> feed_option_rows();
std::span<const OptionRow<TrainTopicsOptions>> topic_option_rows();
std::span<const OptionRow<VectorFileOptions>> vector_file_option_rows();
std::span<const OptionRow<TrainVectorsOptions>> vector_option_rows();
std::span<const OptionRow<ImportVectorsOptions>> import_option_rows();
std::span<const OptionRow<ReduceVectorsOptions>> reduction_option_rows();
std::span<const OptionRow<LookupOptions>> lookup_option_rows();
std::span<const OptionRow<StatementFilter>> statement_filter_rows();
std::span<const OptionRow<TraceOptions>> trace_option_rows();
std::span<const OptionRow<ExtractDetail>> origin_option_rows();
std::span<const OptionRow<AddOptions>> index_add_option_rows();
std::span<const OptionRow<IndexOptions>> index_option_rows();
std::span<const OptionRow<PageStreamOptions>> page_stream_option_rows();
std::span<const OptionRow<PayloadOptions>> payload_option_rows();
std::span<const OptionRow<CdxOptions>> cdx_option_rows();
std::span<const OptionRow<ContaminationOptions>> contamination_option_rows();
std::span<const OptionRow<WaczOptions>> wacz_option_rows();
std::span<const OptionRow<PlanOptions>> plan_option_rows();
std::span<const OptionRow<AuditOptions>> audit_option_rows();
std::span<const OptionRow<ViewOptions>> view_option_rows();

// What the commands work on.
std::span<const OptionRow<DedupOptions>> dedup_argument_rows();
std::span<const OptionRow<PageStreamOptions>> page_stream_argument_rows();
std::span<const OptionRow<PayloadOptions>> payload_argument_rows();
std::span<const OptionRow<CdxOptions>> cdx_argument_rows();
std::span<const OptionRow<ContaminationOptions>> contamination_argument_rows();
std::span<const OptionRow<WaczOptions>> wacz_argument_rows();
std::span<const OptionRow<EvaluateOptions>> evaluate_argument_rows();
std::span<const OptionRow<EvaluateExtractionOptions>> evaluate_extraction_argument_rows();
std::span<const OptionRow<SimulateOptions>> simulate_argument_rows();
std::span<const OptionRow<CrawlOptions>> crawl_argument_rows();
std::span<const OptionRow<TrainTopicsOptions>> topic_argument_rows();
std::span<const OptionRow<TrainVectorsOptions>> vector_argument_rows();
std::span<const OptionRow<ReduceVectorsOptions>> reduction_argument_rows();

}  // namespace paraprint::inline options
