"""Parts of tools/make_demo_crawl.py: articles -> reposts -> pages on site templates -> WARC files and their truth."""
