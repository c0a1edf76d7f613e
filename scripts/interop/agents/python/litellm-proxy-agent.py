"""A program of OpenAI's SDK, before LiteLLM's proxy, before Sluice."""

import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from openai import OpenAI

from openai_chat import converse
from tools import api, base, main

start_s_max = 50
# The proxy wants a key of its own, of this form; programs send it to the proxy.
master_key = f"sk-{secrets.token_hex(16)}"


@contextmanager
def proxy():
    """@yields its base URL"""
    model, address = ("anthropic/any-model", base) if api == "messages" else ("openai/any-model", f"{base}/v1")
    settings = {"model": model, "api_base": address, "api_key": "os.environ/SLUICE_TOKEN"}
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as config, socket.socket() as free:
        # JSON is YAML too.
        json.dump({"model_list": [{"model_name": "any-model", "litellm_params": settings}]}, config)
        config.flush()
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        program = Path(sys.executable).with_name("litellm")
        words = ["--config", config.name, "--host", "127.0.0.1", "--port", str(port)]
        environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MASTER_KEY": master_key}
        child = subprocess.Popen([program, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(f"http://127.0.0.1:{port}/health/liveliness")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            child.terminate()
            child.wait()


def wait_for(url: str) -> None:
    until = time.monotonic() + start_s_max
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the proxy of LiteLLM does not answer")


def agent() -> str:
    with proxy() as url:
        return converse(OpenAI(base_url=url, api_key=master_key, max_retries=0))


main(agent)
