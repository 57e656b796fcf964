{
  "variables": {
    "node_addon_api": "<!(node -p \"require('path').dirname(require.resolve('node-addon-api'))\")",
    "libgit2": "<!(node -p \"require('path').dirname(require.resolve('nodegit/package.json'))\")/vendor/libgit2/include"
  },
  "targets": [
    {
      "target_name": "gstack_gates",
      "sources": ["<!@(node -p \"require('fs').readdirSync('native').filter((name) => name.endsWith('.cc')).map((name) => 'native/' + name).join(' ')\")"],
      "defines": ["NAPI_VERSION=8", "NAPI_DISABLE_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED"],
      "cflags": ["-isystem <(node_addon_api)", "-isystem <(libgit2)", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fvisibility=hidden"],
      "cflags_cc": ["-std=gnu++17", "-fno-exceptions"],
      "cflags_cc!": ["-std=gnu++20"],
      "libraries": ["-lpthread", "-ldl"],
      "xcode_settings": {
        "GCC_ENABLE_CPP_EXCEPTIONS": "NO",
        "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
        "OTHER_CFLAGS": ["-isystem <(node_addon_api)", "-isystem <(libgit2)", "-Wall", "-Wextra"]
      }
    }
  ]
}
